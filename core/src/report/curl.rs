//! Requests as shell lines with curl, for a person to try again; safe whatever the request holds.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::action::Request;
use crate::api::Verb;
use crate::suite::SuiteUser;

use super::is_secret_name;
use super::style::is_obeyed;

/// Longer bodies are piped in: one argument of a program holds 128 KiB at most on Linux.
const MAX_ARGUMENT: usize = 100_000;

/// Longer bodies that are no plain text are written in Base64 instead of octal escapes.
const MAX_ESCAPED: usize = 400;

/// What a request alone does not tell.
#[derive(Debug, Clone, Copy)]
pub struct CurlSettings<'a> {
    /// Base URL of the service.
    pub base_url: &'a str,
    /// Whether certificates of the service are accepted that do not verify.
    pub insecure: bool,
    /// Header fields sent with every call; secret ones become shell variables.
    pub headers: &'a [(String, String)],
    /// Shell variables that hold the credentials of each user as `Name: value` lines, by user position.
    pub user_variables: &'a [String],
}

/// One line that sends `requests` one after the other and stops when the service cannot be reached.
pub fn curl_sequence(requests: &[Request], settings: &CurlSettings) -> String {
    requests.iter().map(|request| curl_line(request, settings)).collect::<Vec<_>>().join(" && ")
}

/// One line that sends `request` and shows the answer with its header.
pub fn curl_line(request: &Request, settings: &CurlSettings) -> String {
    let url = encode_url(&format!("{}{}", settings.base_url.trim_end_matches('/'), request.url));
    let mut line = String::from("curl -sS -i");
    if settings.insecure {
        line.push_str(" -k");
    }
    if url.contains(['[', ']', '{', '}']) {
        line.push_str(" -g");
    }
    match (request.verb, &request.body) {
        (Verb::Get, None) => {}
        (Verb::Head, None) => line.push_str(" --head"),
        // With a body curl would wait for one in the answer, too.
        (Verb::Head, Some(_)) => line.push_str(" -X HEAD --max-time 5"),
        (verb, _) => {
            let _ = write!(line, " -X {verb}");
        }
    }
    let _ = write!(line, " {}", shell_word(&url));
    push_headers(&mut line, request, settings);
    match &request.body {
        None => line,
        Some(body) => with_body(&line, body),
    }
}

/// Shell variables for the credentials of the users named `names`: those of the suite where it has them.
pub(crate) fn user_variables(names: &[String], known: &[SuiteUser]) -> Vec<String> {
    let variable = |name: &String| match known.iter().find(|user| user.name == *name) {
        Some(user) => user.variable.clone(),
        None => ["RESTIVE_AUTH"].into_iter().map(str::to_owned).chain(variable_words(name)).collect::<Vec<_>>().join("_"),
    };
    names.iter().map(variable).collect()
}

fn push_headers(line: &mut String, request: &Request, settings: &CurlSettings) {
    let is_own = |name: &str| request.headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
    for (name, value) in settings.headers.iter().filter(|(name, _)| !is_own(name)) {
        if is_secret_name(name) {
            // A field name may have characters that mean something in double quotes.
            let field = shell_word(&format!("{name}: "));
            let words = variable_words(name).collect::<Vec<_>>().join("_");
            let _ = write!(line, " -H {field}\"$RESTIVE_HEADER_{words}\"");
        } else {
            push_header(line, name, value);
        }
    }
    if let Some(user) = request.user {
        let variable = settings.user_variables.get(usize::from(user.0)).map_or("RESTIVE_AUTH", String::as_str);
        let _ = write!(line, " -H \"${variable}\"");
    }
    for (name, value) in &request.headers {
        push_header(line, name, value);
    }
    if request.body.is_none() && matches!(request.verb, Verb::Post | Verb::Put | Verb::Patch) {
        // As the run sent it; curl says nothing of a body it does not have.
        line.push_str(" -H 'Content-Length: 0'");
    }
    if request.body.is_some()
        && !is_own("content-type")
        && !settings.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
    {
        // curl would add one for forms.
        line.push_str(" -H Content-Type:");
    }
}

fn push_header(line: &mut String, name: &str, value: &str) {
    let clean = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    let (name, value) = (clean(name), clean(value));
    // `@` would name a file; `;` is how curl spells an empty value.
    if name.is_empty() || name.starts_with('@') {
        return;
    }
    let field = if value.trim().is_empty() { format!("{name};") } else { format!("{name}: {value}") };
    let _ = write!(line, " -H {}", shell_word(&field));
}

fn with_body(line: &str, body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok(text) if text.len() <= MAX_ARGUMENT && !text.chars().any(is_obeyed) => {
            format!("{line} --data-raw {}", shell_word(text))
        }
        _ if body.len() <= MAX_ESCAPED => format!("printf '{}' | {line} --data-binary @-", printf_format(body)),
        _ => format!("printf %s '{}' | base64 -d | {line} --data-binary @-", STANDARD.encode(body)),
    }
}

/// `text` as one word of a POSIX shell.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// `body` as format of the shell's `printf`, for single quotes.
fn printf_format(body: &[u8]) -> String {
    let mut format = String::new();
    for (idx, byte) in body.iter().enumerate() {
        match byte {
            b'%' => format.push_str("%%"),
            b'\\' => format.push_str(r"\\"),
            // A leading `-` would be an option.
            b' '..=b'~' if *byte != b'\'' && (idx > 0 || *byte != b'-') => format.push(char::from(*byte)),
            _ => {
                let _ = write!(format, r"\{byte:03o}");
            }
        }
    }
    format
}

/// What no URL on a command line can hold is percent-encoded; a rendered URL has none of it.
fn encode_url(url: &str) -> String {
    let mut encoded = String::with_capacity(url.len());
    for byte in url.bytes() {
        if byte.is_ascii_graphic() {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

fn variable_words(name: &str) -> impl Iterator<Item = String> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_ascii_uppercase)
}

#[cfg(test)]
mod tests;
