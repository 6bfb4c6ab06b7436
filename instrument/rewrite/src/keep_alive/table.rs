//! Which methods decide that a connection ends, one row each; found by reading the servers' sources of the versions named.

/// A method of a server that decides whether a connection is kept, and what is changed in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepAlive {
    /// The server and its versions that have the method.
    pub server: &'static str,
    /// Internal name of the class that declares it.
    pub class: &'static str,
    /// Its name.
    pub method: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// What is changed.
    pub change: Change,
}

/// What is changed in a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It does what it does, and returns this int or boolean: -1, 0 or 1.
    Returns(i8),
    /// Where it compares with the number `from` it compares with `to`; both need two bytes.
    Number {
        /// What stands there.
        from: i16,
        /// What stands there then.
        to: i16,
    },
    /// Calls of a static method give it this number instead of their result: -1, 0 or 1.
    Gives {
        /// Internal name of the class that it names.
        class: &'static str,
        /// The method that is called.
        method: &'static str,
        /// The descriptor of that, with an int or boolean as result.
        descriptor: &'static str,
        /// What it gets.
        number: i8,
    },
    /// Calls of an instance method without result do not happen; their operands are computed as before.
    Without {
        /// Internal name of the class that it names.
        class: &'static str,
        /// The method that is called.
        method: &'static str,
        /// The descriptor of that.
        descriptor: &'static str,
        /// How many operands it takes, the object included; none of them a long or double.
        entries: usize,
    },
}

/// Where an answer has begun already it is broken off elsewhere.
const NOT_AFTER_EXCEPTIONS: Change =
    Change::Without { class: "org/eclipse/jetty/http/HttpGenerator", method: "setPersistent", descriptor: "(Z)V", entries: 2 };

/// All rows. Where a class has several they stand together.
pub(super) const ROWS: [KeepAlive; 10] = [
    // 100 requests, unless configured otherwise.
    KeepAlive {
        server: "Tomcat 7 to 11",
        class: "org/apache/tomcat/util/net/AbstractEndpoint",
        method: "getMaxKeepAliveRequests",
        descriptor: "()I",
        change: Change::Returns(-1),
    },
    // 400, 408, 411, 413, 414, 500, 501, 503.
    KeepAlive {
        server: "Tomcat 8.5 to 11",
        class: "org/apache/coyote/http11/Http11Processor",
        method: "statusDropsConnection",
        descriptor: "(I)Z",
        change: Change::Returns(0),
    },
    KeepAlive {
        server: "Tomcat 7, 8.0",
        class: "org/apache/coyote/http11/AbstractHttp11Processor",
        method: "statusDropsConnection",
        descriptor: "(I)Z",
        change: Change::Returns(0),
    },
    // Any exception that a handler throws.
    KeepAlive {
        server: "Jetty 9.0 to 9.3",
        class: "org/eclipse/jetty/server/HttpChannel",
        method: "handleException",
        descriptor: "(Ljava/lang/Throwable;)V",
        change: Change::Without {
            class: "org/eclipse/jetty/server/Response",
            method: "setHeader",
            descriptor: "(Ljava/lang/String;Ljava/lang/String;)V",
            entries: 3,
        },
    },
    KeepAlive {
        server: "Jetty 9.3 to 11",
        class: "org/eclipse/jetty/server/HttpChannelOverHttp",
        method: "handleException",
        descriptor: "(Ljava/lang/Throwable;)V",
        change: NOT_AFTER_EXCEPTIONS,
    },
    KeepAlive {
        server: "Jetty 9.0 to 9.2",
        class: "org/eclipse/jetty/server/HttpConnection$HttpChannelOverHttp",
        method: "handleException",
        descriptor: "(Ljava/lang/Throwable;)V",
        change: NOT_AFTER_EXCEPTIONS,
    },
    // 500 and above.
    KeepAlive {
        server: "Micronaut 3, 4",
        class: "io/micronaut/http/server/netty/configuration/NettyHttpServerConfiguration",
        method: "isKeepAliveOnServerError",
        descriptor: "()Z",
        change: Change::Returns(1),
    },
    KeepAlive {
        server: "Micronaut 2",
        class: "io/micronaut/http/server/netty/RoutingInBoundHandler",
        method: "writeFinalNettyResponse",
        descriptor: "(Lio/micronaut/http/MutableHttpResponse;Lio/micronaut/http/HttpRequest;\
                     Lio/netty/channel/ChannelHandlerContext;)V",
        change: Change::Number { from: 499, to: i16::MAX },
    },
    // 256 requests, unless configured otherwise.
    KeepAlive {
        server: "Grizzly 2 to 4",
        class: "org/glassfish/grizzly/http/KeepAlive",
        method: "getMaxRequestsCount",
        descriptor: "()I",
        change: Change::Returns(-1),
    },
    // The statuses of Tomcat. Its client asks the same method, and is left alone.
    KeepAlive {
        server: "Grizzly 2 to 4",
        class: "org/glassfish/grizzly/http/HttpServerFilter",
        method: "prepareResponse",
        descriptor: "(Lorg/glassfish/grizzly/filterchain/FilterChainContext;Lorg/glassfish/grizzly/http/HttpRequestPacket;\
                     Lorg/glassfish/grizzly/http/HttpResponsePacket;Lorg/glassfish/grizzly/http/HttpContent;)\
                     Lorg/glassfish/grizzly/http/HttpContent;",
        change: Change::Gives {
            class: "org/glassfish/grizzly/http/HttpServerFilter",
            method: "statusDropsConnection",
            descriptor: "(I)Z",
            number: 0,
        },
    },
];
