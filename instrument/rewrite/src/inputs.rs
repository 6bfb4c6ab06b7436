//! Methods by which services read their inputs: what is read by name, and what bodies are read into (paper 004, section 6).
//!
//! One row a method, of `javax` and `jakarta` alike; to add one is all that a new framework takes. Calls of the service's own
//! classes tell of all rows, those of a few classes of frameworks that read for the service ([`watch_inputs`]) as well.
//!
//! The calls stay as they are: copies of an operand, or of the result, go to `instrument/java/Inputs.java`.

mod table;

use std::borrow::Cow;
use std::sync::LazyLock;

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, ClassFile, Edit, Instruction, MemberRef, Patcher, Result, text};

use crate::emit::Members;
use crate::hash::FastMap;
use crate::pass::inputs::tell;
use crate::relocation::package_above;
use crate::replacement::{Operand, parameters};

/// Where an input is sent, or what a body is read into; the numbers are those of `Inputs.java`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputPlace {
    /// A parameter of the query.
    Query = 0,
    /// A header field.
    Header = 1,
    /// A cookie; without a name when cookies are looked through.
    Cookie = 2,
    /// A field of a form.
    Form = 3,
    /// A part of a multipart body.
    Part = 4,
    /// The body as it comes.
    Raw = 5,
    /// What a text is read into by properties (Jackson, JSON-B).
    Properties = 6,
    /// What a text is read into by fields alone (Gson, Moshi).
    Fields = 7,
    /// What a framework reads the body into before it calls the service.
    Bound = 8,
    /// What a framework reads the body into when the service asks it to.
    Direct = 9,
    /// A key of a JSON object, whatever its value is.
    Key = 10,
    /// A key of a JSON object whose value is a text.
    TextKey = 11,
    /// A key of a JSON object whose value is a whole number.
    IntegerKey = 12,
    /// A key of a JSON object whose value is a number.
    NumberKey = 13,
    /// A key of a JSON object whose value is a boolean.
    BooleanKey = 14,
    /// A key of a JSON object whose value is an array.
    ArrayKey = 15,
    /// A key of a JSON object whose value is an object.
    ObjectKey = 16,
    /// A file in a multipart body.
    File = 17,
    /// A bean that a framework fills from parameters; what is told of it is of each of them its place, name and schema.
    Bean = 18,
    /// No input: what is registered with a JSON library, at any time.
    Registered = 19,
    /// A key of a JSON object that a JSON pointer leads to.
    Pointed = 20,
    /// A key of a JSON object that is looked for in those below as well.
    DeepKey = 21,
    /// A matrix parameter, which stands in the path.
    Matrix = 22,
}

impl InputPlace {
    /// All of them, in the order of their numbers.
    pub const ALL: [InputPlace; 23] = [
        InputPlace::Query,
        InputPlace::Header,
        InputPlace::Cookie,
        InputPlace::Form,
        InputPlace::Part,
        InputPlace::Raw,
        InputPlace::Properties,
        InputPlace::Fields,
        InputPlace::Bound,
        InputPlace::Direct,
        InputPlace::Key,
        InputPlace::TextKey,
        InputPlace::IntegerKey,
        InputPlace::NumberKey,
        InputPlace::BooleanKey,
        InputPlace::ArrayKey,
        InputPlace::ObjectKey,
        InputPlace::File,
        InputPlace::Bean,
        InputPlace::Registered,
        InputPlace::Pointed,
        InputPlace::DeepKey,
        InputPlace::Matrix,
    ];

    /// The place that hooks tell by this number.
    pub fn of_number(number: u16) -> Option<InputPlace> {
        InputPlace::ALL.get(usize::from(number)).copied()
    }

    /// The number by which hooks tell it.
    pub fn number(self) -> i32 {
        self as i32
    }
}

/// How a call tells what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputHook {
    /// This operand is a name; operands count from the object that the method is called on.
    Read(u8),
    /// The result has inputs by their names.
    Hold,
    /// The second operand is looked for in the first, and what is found may have inputs itself.
    Look,
    /// The same, where the first operand is the outermost object of the body unless something else is known of it.
    LookRooted,
    /// The result is a member of the first operand.
    Member,
    /// This operand, which has inputs or is one, is read as what the place says.
    Typed,
    /// The first operand has inputs by their names.
    Fill,
    /// It happens; nothing is named.
    Reach,
    /// This operand says what a text is read into, which is the result.
    Parse(u8),
    /// The first of these operands is the name of a part or of a key, or a part that knows its name, the second says what it
    /// is read into, the third of which media type it is, where one does.
    ReadAs(u8, u8, Option<u8>),
}

/// Added to the number of a place where an object that nothing is known of is the outermost one; as in `Inputs.java`.
pub(crate) const ROOTED: i32 = 64;

/// A method by which inputs are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InputRow {
    /// Internal names of the classes that calls name, without `javax/` and `jakarta/`; none for all classes.
    pub classes: &'static [&'static str],
    /// Its name.
    pub method: &'static str,
    /// What its descriptor begins with, without `javax/` and `jakarta/`; to the `)` where no others are meant.
    pub parameters: &'static str,
    /// What is told.
    pub hook: InputHook,
    /// Of what.
    pub place: InputPlace,
}

type ByName = FastMap<&'static [u8], Vec<&'static InputRow>>;

static OF_SERVICES: LazyLock<ByName> = LazyLock::new(|| by_name(table::ROWS.iter()));

static OF_READERS: LazyLock<ByName> =
    LazyLock::new(|| by_name(table::READER_ROWS.iter().chain(table::ROWS.iter().filter(|row| table::is_for_readers(row)))));

/// Rows of readers that have rows of their own, by what their names begin with.
static OF_OWN: LazyLock<Vec<(&'static str, ByName)>> =
    LazyLock::new(|| table::OWN_ROWS.iter().map(|(prefix, rows)| (*prefix, by_name(rows.iter()))).collect());

fn by_name(all: impl Iterator<Item = &'static InputRow>) -> ByName {
    let mut rows = ByName::default();
    for row in all {
        rows.entry(row.method.as_bytes()).or_default().push(row);
    }
    rows
}

/// A call by which something is read.
#[derive(Debug)]
pub(crate) struct InputCall {
    /// What it tells.
    pub row: &'static InputRow,
    /// What it takes from the stack, the lowest first.
    pub operands: Vec<Operand>,
    /// Whether its result is an object.
    pub gives_object: bool,
}

/// The row for a call of this method by a class of the service; none when there is none.
pub(crate) fn find(member: &MemberRef<'_>, is_static: bool) -> Option<InputCall> {
    find_in(&OF_SERVICES, member, is_static)
}

fn find_in(by_name: &ByName, member: &MemberRef<'_>, is_static: bool) -> Option<InputCall> {
    let rows = by_name.get(member.name)?;
    let fits = |row: &&&InputRow| {
        let takes = |package: &[u8]| plain_descriptor(member.descriptor, package).starts_with(row.parameters.as_bytes());
        let mut packages = row.classes.iter().filter_map(|name| package_above(member.class, name.as_bytes()));
        if row.classes.is_empty() { takes(b"") } else { packages.any(takes) }
    };
    let row = rows.iter().find(fits)?;
    let mut operands = parameters(member.descriptor);
    if !is_static {
        operands.insert(0, Operand::Reference);
    }
    let is_object = |idx: usize| operands.get(idx) == Some(&Operand::Reference);
    let result = member.descriptor.rsplit(|byte| *byte == b')').next().unwrap_or_default();
    let gives_object = matches!(result.first(), Some(b'L' | b'['));
    let fits = match row.hook {
        InputHook::Read(idx) | InputHook::Parse(idx) => is_object(usize::from(idx)),
        InputHook::ReadAs(name, read, media_type) => {
            [Some(name), Some(read), media_type].into_iter().flatten().all(|idx| is_object(usize::from(idx)))
        }
        InputHook::Look | InputHook::LookRooted => is_object(0) && is_object(1) && !is_static,
        InputHook::Typed | InputHook::Fill => is_object(0),
        InputHook::Member => is_object(0) && gives_object && !is_static,
        InputHook::Hold => gives_object,
        InputHook::Reach => true,
    };
    fits.then_some(InputCall { row, operands, gives_object })
}

/// A descriptor with the names that rows have: without `javax/` and `jakarta/`, and the package that its class was moved below.
fn plain_descriptor<'d>(descriptor: &'d [u8], package: &[u8]) -> Cow<'d, [u8]> {
    let has = |name: &[u8]| descriptor.windows(name.len()).any(|window| window == name);
    if package.is_empty() && !has(b"Ljavax/") && !has(b"Ljakarta/") {
        return Cow::Borrowed(descriptor);
    }
    let mut text = String::from_utf8_lossy(descriptor).into_owned();
    for before in [&String::from_utf8_lossy(package), "javax/", "jakarta/"] {
        text = text.replace(&format!("L{before}"), "L");
    }
    Cow::Owned(text.into_bytes())
}

/// A class of a framework that reads inputs for the service, with hooks that report to this runtime class; none for others.
pub fn watch_inputs(class_bytes: &[u8], runtime_class: &str) -> Option<Vec<u8>> {
    let class = ClassFile::read(class_bytes).ok()?;
    let name = text::decode(class.name().ok()?).into_owned();
    let own = OF_OWN.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, rows)| rows);
    let is_reader = || table::READERS.iter().any(|prefix| name.starts_with(prefix));
    let rows = own.or_else(|| is_reader().then_some(&*OF_READERS))?;
    let mut members = Members::new(runtime_class);
    let mut patcher = Patcher::new(&class);
    let mut n_hooks = 0;
    for method in &class.methods {
        let Ok(Some(code)) = class.code(method) else { continue };
        let found = |instruction: &Instruction<'_>| {
            let is_call = matches!(instruction.opcode, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE);
            let member = class.pool.member(instruction.constant().filter(|_| is_call)?).ok()?;
            find_in(rows, &member, instruction.opcode == op::INVOKESTATIC)
        };
        let has_calls = code.instructions().filter_map(Result::ok).any(|instruction| found(&instruction).is_some());
        if !has_calls {
            continue;
        }
        let mut hook = |instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit| match found(instruction) {
            Some(known) => {
                n_hooks += 1;
                tell(&known, code.max_locals, (edit, pool, &mut members))
            }
            None => Ok(()),
        };
        if patcher.patch(&code, &mut hook).is_err() {
            // It reads as it did, and tells nothing.
            return None;
        }
    }
    if n_hooks > 0 { patcher.finish().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use restive_classfile::MemberRef;

    use super::{InputHook, InputPlace, ROOTED, find};
    use crate::replacement::Operand;

    const LOOPS: &[u8] = include_bytes!("../../classfile/tests/classes/Loops.class");

    fn found(class: &str, name: &str, descriptor: &str) -> Option<(InputHook, InputPlace)> {
        let member = MemberRef { class: class.as_bytes(), name: name.as_bytes(), descriptor: descriptor.as_bytes() };
        find(&member, false).map(|call| (call.row.hook, call.row.place))
    }

    #[test]
    fn both_namespaces_of_servlets_are_one() {
        for namespace in ["javax", "jakarta"] {
            let class = format!("{namespace}/servlet/http/HttpServletRequest");
            let read = found(&class, "getParameter", "(Ljava/lang/String;)Ljava/lang/String;");
            assert_eq!(read, Some((InputHook::Read(1), InputPlace::Query)), "{class}");
            let cookies = found(&class, "getCookies", &format!("()[L{namespace}/servlet/http/Cookie;"));
            assert_eq!(cookies, Some((InputHook::Reach, InputPlace::Cookie)), "{class}");
        }
        assert_eq!(found("com/acme/Request", "getParameter", "(Ljava/lang/String;)Ljava/lang/String;"), None);
    }

    #[test]
    fn libraries_below_a_package_of_their_jar_are_the_same() {
        let read = (InputHook::Read(1), InputPlace::Query);
        let text = "(Ljava/lang/String;)Ljava/lang/String;";
        assert_eq!(found("wiremock/jakarta/servlet/http/HttpServletRequest", "getParameter", text), Some(read));
        let cookies = found("a/javax/servlet/http/HttpServletRequest", "getCookies", "()[La/javax/servlet/http/Cookie;");
        assert_eq!(cookies, Some((InputHook::Reach, InputPlace::Cookie)));
        for package in ["", "shaded_package/", "a/b/"] {
            let class = format!("{package}com/fasterxml/jackson/databind/JsonNode");
            let pointer = format!("(L{package}com/fasterxml/jackson/core/JsonPointer;)L{class};");
            assert_eq!(found(&class, "at", &pointer), Some((InputHook::Look, InputPlace::Pointed)), "{class}");
            assert_eq!(found(&class, "at", &format!("(L{package}Pointer;)L{class};")), None);
        }
        // A class of somebody else.
        assert_eq!(found("com/acme/servlet/http/HttpServletRequest", "getParameter", text), None);
        assert_eq!(found("mycom/fasterxml/jackson/databind/JsonNode", "at", text), None);
    }

    #[test]
    fn what_sets_a_header_reads_none() {
        let context = "io/javalin/http/Context";
        assert!(found(context, "header", "(Ljava/lang/String;)Ljava/lang/String;").is_some());
        assert_eq!(found(context, "header", "(Ljava/lang/String;Ljava/lang/String;)Lio/javalin/http/Context;"), None);
    }

    #[test]
    fn fields_are_looked_up_in_what_is_known_to_be_of_a_request() {
        let headers = "org/springframework/http/HttpHeaders";
        let looked = found(headers, "getFirst", "(Ljava/lang/String;)Ljava/lang/String;");
        assert_eq!(looked, Some((InputHook::Look, InputPlace::Header)));
        let gives = "()Lorg/springframework/http/HttpHeaders;";
        for (class, is_request) in [
            ("org/springframework/http/server/ServerHttpRequest", true),
            ("org/springframework/http/RequestEntity", true),
            ("org/springframework/http/server/ServerHttpResponse", false),
            ("org/springframework/http/ResponseEntity", false),
        ] {
            let held = is_request.then_some((InputHook::Hold, InputPlace::Header));
            assert_eq!(found(class, "getHeaders", gives), held, "{class}");
        }
    }

    #[test]
    fn files_are_told_from_other_parts() {
        let file = found(
            "org/springframework/web/multipart/MultipartRequest",
            "getFile",
            "(Ljava/lang/String;)Lorg/springframework/web/multipart/MultipartFile;",
        );
        assert_eq!(file, Some((InputHook::Read(1), InputPlace::File)));
        let part =
            found("jakarta/servlet/http/HttpServletRequest", "getPart", "(Ljava/lang/String;)Ljakarta/servlet/http/Part;");
        assert_eq!(part, Some((InputHook::Read(1), InputPlace::Part)));
        let name = found("javax/servlet/http/Part", "getSubmittedFileName", "()Ljava/lang/String;");
        assert_eq!(name, Some((InputHook::Typed, InputPlace::File)));
    }

    #[test]
    fn what_is_asked_for_is_an_object() {
        let member = MemberRef { class: b"com/google/gson/Gson", name: b"fromJson", descriptor: b"(ILjava/lang/String;)V" };
        let call = find(&member, false).expect("a row");
        assert_eq!(call.operands, [Operand::Reference, Operand::Int, Operand::Reference]);
        let member = MemberRef { descriptor: b"(Ljava/lang/String;I)V", ..member };
        assert!(find(&member, false).is_none());
    }

    #[test]
    fn numbers_of_places_are_their_order() {
        for (number, place) in (0..).zip(InputPlace::ALL) {
            assert_eq!((InputPlace::of_number(number), place.number()), (Some(place), i32::from(number)));
        }
        let java = [
            include_str!("../../java/Inputs.java"),
            include_str!("../../java/Schemas.java"),
            include_str!("../../java/Beans.java"),
        ]
        .concat();
        for (name, place) in [
            ("QUERY", InputPlace::Query),
            ("COOKIE", InputPlace::Cookie),
            ("FORM", InputPlace::Form),
            ("PART", InputPlace::Part),
            ("RAW", InputPlace::Raw),
            ("KEY", InputPlace::Key),
            ("LAST_KEY", InputPlace::ObjectKey),
            ("PARSED", InputPlace::Properties),
            ("BY_FIELDS", InputPlace::Fields),
            ("BOUND", InputPlace::Bound),
            ("DIRECT", InputPlace::Direct),
            ("HEADER", InputPlace::Header),
            ("FILE", InputPlace::File),
            ("BEAN", InputPlace::Bean),
            ("FROM_TEXTS", InputPlace::Bean),
            ("REGISTERED", InputPlace::Registered),
            ("POINTED", InputPlace::Pointed),
            ("DEEP_KEY", InputPlace::DeepKey),
            ("MATRIX", InputPlace::Matrix),
        ] {
            assert!(java.contains(&format!("int {name} = {};", place.number())), "{name}");
        }
        assert!(java.contains(&format!("int ROOTED = {ROOTED};")));
    }

    #[test]
    fn other_classes_stay_as_they_are() {
        assert_eq!(super::watch_inputs(LOOPS, "java/lang/RestiveProbes"), None);
        assert_eq!(super::watch_inputs(b"no class", "java/lang/RestiveProbes"), None);
    }
}
