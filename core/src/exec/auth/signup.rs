//! Creates users on the fly from generated names.

use reqwest::header::CONTENT_TYPE;

use crate::exec::credentials::header_field;
use crate::exec::{Client, Error};
use crate::random::Random;

use super::endpoint::{EndpointCall, Values, fill};
use super::specification::SignupSpec;

/// Characters of the random part: allowed in names, addresses, JSON and URLs alike.
const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// What became of a creation.
pub(super) enum Creation {
    /// The user is there.
    Done,
    /// The service refuses with that status: the name may be taken.
    Refused(u16),
}

/// Fresh values for all generators of `signup`.
pub(super) fn generate(signup: &SignupSpec, random: &mut Random) -> Values {
    let mut value = |prefix: &str, n_random: usize, postfix: &str| {
        let middle = (0..n_random).map(|_| char::from(ALPHABET[random.below(ALPHABET.len())]));
        prefix.chars().chain(middle.collect::<Vec<_>>()).chain(postfix.chars()).collect::<String>()
    };
    let generators = signup.generators.iter();
    generators.map(|one| (one.placeholder.clone(), value(&one.prefix, one.n_random, &one.postfix))).collect()
}

/// Creates `user` with `values`.
///
/// # Errors
/// When the endpoint cannot be called or fails with 5xx.
pub(super) fn create(client: &Client, user: &str, signup: &SignupSpec, values: &Values) -> Result<Creation, Error> {
    let call = EndpointCall {
        user,
        endpoint: &signup.endpoint,
        method: &signup.verb,
        headers: vec![header_field(CONTENT_TYPE.as_str(), &signup.content_type)?],
        body: Some(fill(&signup.payload, values)),
    };
    match call.send(client)?.status {
        200..=399 => Ok(Creation::Done),
        status @ 400..=499 => Ok(Creation::Refused(status)),
        status => Err(call.failed(format!("creating the user gave status {status}, wanted 2xx"))),
    }
}

/// The failure of a user whose creation was refused with `status` again and again.
pub(super) fn refused(user: &str, signup: &SignupSpec, status: u16) -> Error {
    let (endpoint, method) = (&signup.endpoint, &signup.verb);
    let call = EndpointCall { user, endpoint, method, headers: Vec::new(), body: None };
    call.failed(format!("creating the user gave status {status}, wanted 2xx"))
}
