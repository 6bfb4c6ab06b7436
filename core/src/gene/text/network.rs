//! Addresses: URIs, mail addresses, host names, IP addresses.
//!
//! Names lie in the domains of RFC 2606 that belong to nobody.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::random::Random;

const HOSTS: [&str; 6] = ["a.example", "api.example.com", "localhost", "127.0.0.1", "x.test", "sub.domain.example.org"];

fn word(random: &mut Random) -> String {
    let length = 1 + random.log_size(10);
    (0..length).map(|_| char::from(*random.pick(b"abcdefghijklmnopqrstuvwxyz0123456789").expect("it is not empty"))).collect()
}

fn host(random: &mut Random) -> String {
    if random.chance(0.6) { (*random.pick(&HOSTS).expect("hosts are listed")).to_owned() } else { sample_hostname(random) }
}

pub(super) fn sample_hostname(random: &mut Random) -> String {
    // A label must not be mistaken for a part of an address, so the first character is a letter.
    let labels: Vec<String> = (0..=random.log_size(3)).map(|_| format!("h{}", word(random))).collect();
    format!("{}.{}", labels.join("."), random.pick(&["example", "test", "example.com"]).expect("domains are listed"))
}

pub(super) fn sample_uri(random: &mut Random) -> String {
    match random.below(12) {
        0 => format!("urn:example:{}", word(random)),
        1 => format!("mailto:{}", sample_email(random)),
        2 => format!("ftp://{}/{}", host(random), word(random)),
        _ => sample_url(random),
    }
}

pub(super) fn sample_url(random: &mut Random) -> String {
    let scheme = if random.chance(0.5) { "http" } else { "https" };
    let port = if random.chance(0.2) { format!(":{}", random.between(1, 65_535)) } else { String::new() };
    format!("{scheme}://{}{port}{}", host(random), url_path(random))
}

pub(super) fn sample_reference(random: &mut Random) -> String {
    if random.chance(0.5) { sample_uri(random) } else { url_path(random) }
}

fn url_path(random: &mut Random) -> String {
    let segments: Vec<String> = (0..random.log_size(4)).map(|_| word(random)).collect();
    let query = if random.chance(0.2) { format!("?{}={}", word(random), word(random)) } else { String::new() };
    let fragment = if random.chance(0.1) { format!("#{}", word(random)) } else { String::new() };
    let escaped = if random.chance(0.1) { "%20" } else { "" };
    format!("/{}{escaped}{query}{fragment}", segments.join("/"))
}

pub(super) fn sample_email(random: &mut Random) -> String {
    let local = match random.below(6) {
        0 => format!("{}.{}", word(random), word(random)),
        1 => format!("{}+{}", word(random), word(random)),
        2 => format!("{}_{}", word(random), word(random)),
        _ => word(random),
    };
    let domain = if random.chance(0.5) { "example.com".to_owned() } else { sample_hostname(random) };
    format!("{local}@{domain}")
}

pub(super) fn sample_ipv4(random: &mut Random) -> String {
    let listed = ["127.0.0.1", "0.0.0.0", "255.255.255.255", "10.0.0.1", "192.168.0.1", "169.254.169.254"];
    if random.chance(0.4) {
        return (*random.pick(&listed).expect("addresses are listed")).to_owned();
    }
    Ipv4Addr::from_bits(u32::try_from(random.bits() >> 32).unwrap_or(0)).to_string()
}

pub(super) fn sample_ipv6(random: &mut Random) -> String {
    let listed = ["::1", "::", "fe80::1", "::ffff:127.0.0.1", "2001:db8::1"];
    if random.chance(0.4) {
        return (*random.pick(&listed).expect("addresses are listed")).to_owned();
    }
    Ipv6Addr::from_bits((u128::from(random.bits()) << 64) | u128::from(random.bits())).to_string()
}

/// Whether both RFC 3986 and what browsers and many services go by, which allow each what the other does not, take it.
pub(super) fn is_uri(text: &str) -> bool {
    fluent_uri::Uri::parse(text).is_ok() && url::Url::parse(text).is_ok() && !text.ends_with(':')
}

pub(super) fn is_reference(text: &str) -> bool {
    let base = url::Url::parse("http://a.example/").expect("it is a URL");
    fluent_uri::UriRef::parse(text).is_ok_and(|reference| !reference.has_scheme() || is_uri(text)) && base.join(text).is_ok()
}

/// Whether a validator of JSON Schema takes it for a URI template.
pub(super) fn is_template(text: &str) -> bool {
    static TEMPLATES: LazyLock<Option<Validator>> =
        LazyLock::new(|| jsonschema::options().should_validate_formats(true).build(&json!({ "format": "uri-template" })).ok());
    TEMPLATES.as_ref().is_some_and(|templates| templates.is_valid(&Value::from(text)))
}

pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let atom = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte))
    };
    local.len() <= 64 && local.split('.').all(atom) && is_hostname(domain)
}

pub(super) fn is_hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            // Reserved for encoded international names, which are not checked here.
            && label.get(2..4) != Some("--")
    };
    text.len() <= 253 && text.split('.').all(label)
}
