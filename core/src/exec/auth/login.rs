//! Logs a user in: one call, then cookies or a token from its answer.

use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use url::form_urlencoded;

use crate::action::Answer;
use crate::api::is_json_media;
use crate::exec::credentials::header_field;
use crate::exec::{Client, Credentials, Error};

use super::endpoint::{EndpointCall, Values, fill};
use super::specification::{LoginSpec, Payload, TokenPlace, TokenSource, TokenSpec};

/// What the login of `user` gives.
///
/// # Errors
/// When the endpoint cannot be called, refuses, or its answer lacks what is expected; values are not in the message.
pub(super) fn log_in(client: &Client, user: &str, login: &LoginSpec, values: &Values) -> Result<Credentials, Error> {
    let call = prepare(user, login, values)?;
    let answer = call.send(client)?;
    // Form logins answer with a redirect to the first page.
    let is_accepted = matches!(answer.status, 200..=299) || (login.expect_cookies && matches!(answer.status, 300..=399));
    if !is_accepted {
        return Err(call.failed(format!("status {}, wanted 2xx", answer.status)));
    }
    let mut credentials = Credentials::default();
    if login.expect_cookies {
        let cookies = cookies(&answer);
        if cookies.is_empty() {
            return Err(call.failed(format!("status {}, but the answer sets no cookie", answer.status)));
        }
        credentials.add_header("cookie", &cookies)?;
    }
    if let Some(token) = &login.token {
        let found =
            extract(token, &answer).map_err(|missing| call.failed(format!("status {}, but {missing}", answer.status)))?;
        let sent = token.template.replace("{token}", &found);
        match token.place {
            TokenPlace::Header => credentials.add_header(&token.name, &sent)?,
            TokenPlace::Query => credentials.add_query(&token.name, &sent),
        }
    }
    Ok(credentials)
}

fn prepare<'a>(user: &'a str, login: &'a LoginSpec, values: &Values) -> Result<EndpointCall<'a>, Error> {
    let (body, content_type) = match &login.payload {
        Some(payload) => {
            let (body, usual_type) = format(payload, login.content_type.as_deref(), values);
            (Some(body), Some(login.content_type.as_deref().unwrap_or(usual_type)))
        }
        None => (None, login.content_type.as_deref()),
    };
    let mut headers = Vec::with_capacity(login.headers.len() + 1);
    if let Some(content_type) = content_type {
        headers.push(header_field(CONTENT_TYPE.as_str(), content_type)?);
    }
    for (name, value) in &login.headers {
        headers.push(header_field(name, &fill(value, values))?);
    }
    Ok(EndpointCall { user, endpoint: &login.endpoint, method: &login.verb, headers, body })
}

/// The payload as text, and the content type it has when the file names none.
fn format(payload: &Payload, content_type: Option<&str>, values: &Values) -> (String, &'static str) {
    const FORM: &str = "application/x-www-form-urlencoded";
    const JSON: &str = "application/json";
    match payload {
        Payload::Raw(raw) => {
            let usual_type = if serde_json::from_str::<Value>(raw).is_ok() { JSON } else { FORM };
            (fill(raw, values), usual_type)
        }
        Payload::UserPassword { username_field, username, password_field, password } => {
            let (username, password) = (fill(username, values), fill(password, values));
            if content_type.is_none_or(is_json_media) {
                return (json!({ username_field: username, password_field: password }).to_string(), JSON);
            }
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.append_pair(username_field, &username).append_pair(password_field, &password);
            (form.finish(), FORM)
        }
    }
}

/// The cookies that an answer sets, as a `Cookie` field (RFC 6265 4.2.1).
fn cookies(answer: &Answer) -> String {
    answer.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

/// The token in an answer, or what is missing there.
fn extract(token: &TokenSpec, answer: &Answer) -> Result<String, String> {
    let found = match &token.source {
        TokenSource::Header(name) => {
            answer.header(name).map(str::to_owned).ok_or_else(|| format!("it has no header `{name}`"))?
        }
        // The whole body may be the token, and need not be JSON then.
        TokenSource::Body(pointer) if pointer.is_empty() && answer.json().is_none() => {
            String::from_utf8_lossy(&answer.body).trim().to_owned()
        }
        TokenSource::Body(pointer) => {
            let json = answer.json().ok_or("its body is not JSON")?;
            match json.pointer(pointer) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                Some(_) => return Err(format!("its body has no text at `{pointer}`")),
                None => return Err(format!("its body has nothing at `{pointer}`")),
            }
        }
    };
    if found.is_empty() { Err("the token is empty".to_owned()) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use crate::action::Answer;

    use super::cookies;

    #[test]
    fn cookies_keep_their_last_value_and_lose_attributes_and_deletions() {
        let fields = ["sid=old", "sid=a=b; Path=/; HttpOnly", "gone=1; Max-Age=0", "theme=dark", "garbage"];
        let headers = fields.map(|field| ("set-cookie".to_owned(), field.to_owned())).to_vec();
        assert_eq!(cookies(&Answer { headers, ..Answer::default() }), "sid=a=b; theme=dark");
    }
}
