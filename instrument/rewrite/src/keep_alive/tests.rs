use std::collections::BTreeSet;

use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Instruction};

use super::{Change, KeepAlive, keep_alive, keep_alive_rows};

/// A class of one static method that names one other method.
fn class(name: &str, method: (&str, &str), named: (&str, &str, &str), code: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 14];
    // 1 to 8: texts.
    for text in [name, "java/lang/Object", method.0, method.1, "Code", named.0, named.1, named.2] {
        bytes.push(1);
        bytes.extend(u16::try_from(text.len()).expect("short").to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    // 9: this class, 10: Object, 11: the named class, 12: name and type, 13: the named method.
    bytes.extend([7, 0, 1, 7, 0, 2, 7, 0, 6, 12, 0, 7, 0, 8, 10, 0, 11, 0, 12]);
    bytes.extend([0, 0x21, 0, 9, 0, 10, 0, 0, 0, 0, 0, 1, 0, 8, 0, 3, 0, 4, 0, 1, 0, 5]);
    bytes.extend(u32::try_from(code.len() + 12).expect("short").to_be_bytes());
    bytes.extend([0, 3, 0, 9]);
    bytes.extend(u32::try_from(code.len()).expect("short").to_be_bytes());
    bytes.extend(code);
    bytes.extend([0; 6]);
    bytes
}

/// The code of the only method.
fn code(class_bytes: &[u8]) -> Vec<u8> {
    let class = ClassFile::read(class_bytes).expect("a class");
    class.code(&class.methods[0]).expect("readable").expect("has code").code.to_vec()
}

fn row(class: &str) -> &'static KeepAlive {
    keep_alive_rows().iter().find(|row| row.class.ends_with(class)).expect("in the table")
}

/// The code of `row`'s method in a class of that name, changed; none when it is not.
fn changed(row: &KeepAlive, prefix: &str, named: (&str, &str, &str), code_before: &[u8]) -> Option<Vec<u8>> {
    let name = format!("{prefix}{}", row.class);
    let descriptor = row.descriptor.replace("Lio/", &format!("L{prefix}io/"));
    let descriptor = descriptor.replace("Lorg/", &format!("L{prefix}org/"));
    keep_alive(&name, &class(&name, (row.method, &descriptor), named, code_before)).map(|bytes| code(&bytes))
}

const NOTHING: (&str, &str, &str) = ("A", "a", "()V");

#[test]
fn results_are_put_in_front_of_each_return() {
    let before = [op::ICONST_5, op::IRETURN, op::ICONST_2, op::IRETURN];
    let after = changed(row("AbstractEndpoint"), "", NOTHING, &before).expect("changed");
    assert_eq!(after, [op::ICONST_5, op::POP, op::ICONST_M1, op::IRETURN, op::ICONST_2, op::POP, op::ICONST_M1, op::IRETURN]);
}

#[test]
fn classes_that_were_moved_into_another_jar_are_known() {
    let before = [op::SIPUSH, 1, 243, op::POP, op::RETURN];
    let micronaut = row("RoutingInBoundHandler");
    assert!(changed(micronaut, "shaded/", NOTHING, &before).is_some());
    assert!(changed(micronaut, "com/acme/shaded/", NOTHING, &before).is_some());
    assert!(changed(micronaut, "shaded", NOTHING, &before).is_none(), "another class");
    let jetty = row("server/HttpChannel");
    let named = ("shaded/org/eclipse/jetty/server/Response", "setHeader", "(Ljava/lang/String;Ljava/lang/String;)V");
    let code = [op::ACONST_NULL, op::ACONST_NULL, op::ACONST_NULL, op::INVOKEVIRTUAL, 0, 13, op::RETURN];
    assert!(changed(jetty, "shaded/", named, &code).is_some());
    assert!(changed(jetty, "", named, &code).is_none(), "the response of somebody else");
}

#[test]
fn calls_are_left_out_or_give_something_else() {
    let named = ("org/eclipse/jetty/server/Response", "setHeader", "(Ljava/lang/String;Ljava/lang/String;)V");
    let code = [op::ACONST_NULL, op::ACONST_NULL, op::ACONST_NULL, op::INVOKEVIRTUAL, 0, 13, op::RETURN];
    let after = changed(row("server/HttpChannel"), "", named, &code).expect("changed");
    assert_eq!(after, [op::ACONST_NULL, op::ACONST_NULL, op::ACONST_NULL, op::POP, op::POP, op::POP, op::RETURN]);
    let named = ("org/glassfish/grizzly/http/HttpServerFilter", "statusDropsConnection", "(I)Z");
    let code = [op::ICONST_1, op::INVOKESTATIC, 0, 13, op::POP, op::ACONST_NULL, op::ARETURN];
    let after = changed(row("HttpServerFilter"), "", named, &code).expect("changed");
    assert_eq!(after, [op::ICONST_1, op::INVOKESTATIC, 0, 13, op::POP, op::ICONST_0, op::POP, op::ACONST_NULL, op::ARETURN]);
}

#[test]
fn numbers_are_exchanged() {
    let code = [op::SIPUSH, 1, 243, op::POP, op::SIPUSH, 1, 244, op::POP, op::RETURN];
    let after = changed(row("RoutingInBoundHandler"), "", NOTHING, &code).expect("changed");
    assert_eq!(after, [op::SIPUSH, 0x7f, 0xff, op::POP, op::SIPUSH, 1, 244, op::POP, op::RETURN]);
}

#[test]
fn what_is_otherwise_stays() {
    let endpoint = row("AbstractEndpoint");
    let other = |method: (&str, &str)| {
        keep_alive(endpoint.class, &class(endpoint.class, method, NOTHING, &[op::ICONST_5, op::IRETURN]))
    };
    assert_eq!(other(("getMaxKeepAliveRequests", "(I)I")), None, "another method of that name");
    assert_eq!(other(("getPort", "()I")), None);
    assert_eq!(keep_alive("com/acme/Foo", b"no class file"), None);
    assert_eq!(keep_alive(endpoint.class, b"no class file"), None);
    assert_eq!(changed(row("RoutingInBoundHandler"), "", NOTHING, &[op::RETURN]), None, "nothing to exchange");
    assert_eq!(changed(row("server/HttpChannel"), "", NOTHING, &[op::RETURN]), None, "nothing to leave out");
}

#[test]
fn rows_say_what_the_table_demands_of_them() {
    let mut seen = BTreeSet::new();
    for row in keep_alive_rows() {
        assert!(seen.insert((row.class, row.method)), "{row:?}");
        let result = row.descriptor.rsplit(')').next().expect("a descriptor");
        let is_fit = match row.change {
            Change::Returns(number) => result == "I" || (result == "Z" && number >= 0),
            Change::Number { from, to } => from > i16::from(i8::MAX) && to > from,
            Change::Gives { descriptor, .. } => descriptor.ends_with(")I") || descriptor.ends_with(")Z"),
            Change::Without { descriptor, entries, .. } => {
                let n_operands = descriptor.matches("Ljava/").count() + descriptor.matches('Z').count() + 1;
                descriptor.ends_with(")V") && n_operands == entries
            }
        };
        assert!(is_fit, "{row:?}");
    }
}

#[test]
fn damaged_classes_stay() {
    let endpoint = row("AbstractEndpoint");
    let whole = class(endpoint.class, (endpoint.method, endpoint.descriptor), NOTHING, &[op::ICONST_5, op::IRETURN]);
    assert!(keep_alive(endpoint.class, &whole).is_some());
    for length in 0..whole.len() {
        assert_eq!(keep_alive(endpoint.class, &whole[..length]), None, "{length}");
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        // Whatever it is: no panic.
        let _maybe = keep_alive(endpoint.class, &damaged);
    }
}

#[test]
fn the_class_stays_readable() {
    let endpoint = row("AbstractEndpoint");
    let whole = class(endpoint.class, (endpoint.method, endpoint.descriptor), NOTHING, &[op::ICONST_5, op::IRETURN]);
    let changed = code(&keep_alive(endpoint.class, &whole).expect("changed"));
    let mut at = 0;
    while at < changed.len() {
        at = Instruction::decode(&changed, at, 0).expect("an instruction").next_pc();
    }
}
