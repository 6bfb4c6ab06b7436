package org.example.doors;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

/** Jetty 12 without servlets. */
public final class Jetty12Core extends Handler.Abstract {
    public static void main(String[] arguments) throws Exception {
        Server server = new Server(Integer.parseInt(arguments[0]));
        server.setHandler(new Jetty12Core());
        server.start();
        server.join();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        if (Door.fails(path)) {
            throw Door.failure();
        }
        if (Door.reads(path)) {
            Content.Source.asString(request);
        }
        int status = Door.status(path);
        if (status >= 400) {
            Response.writeError(request, response, callback, status);
            return true;
        }
        response.setStatus(status);
        if (Door.hasBody(status)) {
            Content.Sink.write(response, true, "open", callback);
        } else {
            callback.succeeded();
        }
        return true;
    }
}
