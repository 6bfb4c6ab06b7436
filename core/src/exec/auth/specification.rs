//! How each user is authenticated, as written in a Web Fuzzing Commons auth file.
//!
//! Follows `auth.yaml` of WebFuzzing/Commons (release 0.11), with the token fields of earlier ones beside it:
//! `extractFromField` or `extractFromHeader`, `httpHeaderName`, `headerPrefix`, `headerPostfix`. What `x-required` demands there is checked here, after the
//! template is merged. None of these types can be printed: they hold secrets.

use reqwest::Method;
use url::Url;

use super::fields::{Fields, Misfit};

/// One user.
#[derive(Clone, Default)]
pub(super) struct UserSpec {
    pub(super) name: String,
    pub(super) fixed_headers: Vec<(String, String)>,
    pub(super) login: Option<LoginSpec>,
    pub(super) signup: Option<SignupSpec>,
}

/// `loginEndpointAuth`.
#[derive(Clone)]
pub(super) struct LoginSpec {
    pub(super) endpoint: Endpoint,
    pub(super) verb: Method,
    pub(super) headers: Vec<(String, String)>,
    pub(super) payload: Option<Payload>,
    pub(super) content_type: Option<String>,
    pub(super) token: Option<TokenSpec>,
    pub(super) expect_cookies: bool,
}

/// Where a login or a user creation is sent.
#[derive(Clone)]
pub(super) enum Endpoint {
    /// Path on the server of the base URL.
    OnServer(String),
    /// A full URL.
    Elsewhere(Url),
}

/// What is sent to log in or to create a user.
#[derive(Clone)]
pub(super) enum Payload {
    /// As it is.
    Raw(String),
    /// Two fields, formatted by content type.
    UserPassword { username_field: String, username: String, password_field: String, password: String },
}

/// `token`.
#[derive(Clone)]
pub(super) struct TokenSpec {
    pub(super) source: TokenSource,
    pub(super) place: TokenPlace,
    pub(super) name: String,
    /// Holds `{token}`.
    pub(super) template: String,
}

/// Where the token is found.
#[derive(Clone)]
pub(super) enum TokenSource {
    /// JSON pointer into the body.
    Body(String),
    /// Header field.
    Header(String),
}

/// Where the token is sent.
#[derive(Clone, Copy)]
pub(super) enum TokenPlace {
    Header,
    Query,
}

/// `createUsers`.
#[derive(Clone)]
pub(super) struct SignupSpec {
    pub(super) endpoint: Endpoint,
    pub(super) verb: Method,
    pub(super) content_type: String,
    pub(super) payload: String,
    pub(super) generators: Vec<GeneratorSpec>,
}

/// One generated value of a created user.
#[derive(Clone)]
pub(super) struct GeneratorSpec {
    pub(super) placeholder: String,
    pub(super) prefix: String,
    pub(super) postfix: String,
    /// Characters drawn at random, at least 1.
    pub(super) n_random: usize,
}

/// Random characters of a generated value when its length leaves the choice.
const USUAL_RANDOM: usize = 8;
/// A generated value is never longer than that, whatever the file asks for.
const MAX_RANDOM: usize = 10_000;

impl UserSpec {
    /// What of the file must not be shown.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        let password = self.login.iter().filter_map(|login| match &login.payload {
            Some(Payload::UserPassword { password, .. }) => Some(password.as_str()),
            Some(Payload::Raw(_)) | None => None,
        });
        self.fixed_headers.iter().map(|(_, value)| value.as_str()).chain(password)
    }

    const FIELDS: [&'static str; 5] = ["name", "requireMockHandling", "fixedHeaders", "loginEndpointAuth", "createUsers"];

    pub(super) fn read(place: String, value: &serde_json::Value) -> Result<Self, Misfit> {
        let fields = Fields::of(place, value, &Self::FIELDS)?;
        let login = fields.object("loginEndpointAuth", &LoginSpec::FIELDS)?;
        let signup = fields.object("createUsers", &SignupSpec::FIELDS)?;
        // Mocks are set up by white-box drivers; black-box the user may simply be refused.
        fields.flag("requireMockHandling")?;
        let user = Self {
            name: fields.required_text("name")?,
            fixed_headers: headers(&fields, "fixedHeaders")?,
            login: login.as_ref().map(LoginSpec::read).transpose()?,
            signup: signup.as_ref().map(SignupSpec::read).transpose()?,
        };
        if user.fixed_headers.is_empty() && user.login.is_none() {
            return Err(fields.misfit("wanted `fixedHeaders` or `loginEndpointAuth`, found neither"));
        }
        Ok(user)
    }
}

impl LoginSpec {
    const FIELDS: [&'static str; 9] = [
        "endpoint",
        "externalEndpointURL",
        "verb",
        "payloadRaw",
        "payloadUserPwd",
        "headers",
        "contentType",
        "token",
        "expectCookies",
    ];

    fn read(fields: &Fields<'_>) -> Result<Self, Misfit> {
        let token = fields.object("token", &TokenSpec::FIELDS)?;
        let login = Self {
            endpoint: endpoint(fields)?,
            verb: verb(fields)?,
            headers: headers(fields, "headers")?,
            payload: payload(fields)?,
            content_type: fields.text("contentType")?,
            token: token.as_ref().map(TokenSpec::read).transpose()?,
            expect_cookies: fields.flag("expectCookies")?,
        };
        if login.token.is_none() && !login.expect_cookies {
            return Err(fields.misfit("wanted `token` or `expectCookies: true`, found neither"));
        }
        Ok(login)
    }
}

impl TokenSpec {
    const FIELDS: [&'static str; 10] = [
        "extractFrom",
        "extractSelector",
        "sendIn",
        "sendName",
        "sendTemplate",
        "extractFromField",
        "extractFromHeader",
        "httpHeaderName",
        "headerPrefix",
        "headerPostfix",
    ];

    fn read(fields: &Fields<'_>) -> Result<Self, Misfit> {
        let earlier_source = match (fields.text("extractFromField")?, fields.text("extractFromHeader")?) {
            (Some(pointer), None) => Some(TokenSource::Body(json_pointer(fields, pointer)?)),
            (None, Some(name)) => Some(TokenSource::Header(name)),
            (None, None) => None,
            (Some(_), Some(_)) => {
                return Err(fields.misfit("found both `extractFromField` and `extractFromHeader`, wanted one"));
            }
        };
        if let Some(source) = earlier_source {
            let around = |name: &str| fields.text(name).map(Option::unwrap_or_default);
            let template = format!("{}{{token}}{}", around("headerPrefix")?, around("headerPostfix")?);
            return Ok(Self { source, place: TokenPlace::Header, name: fields.required_text("httpHeaderName")?, template });
        }
        let selector = fields.required_text("extractSelector")?;
        let source = match fields.required_text("extractFrom")?.as_str() {
            "body" => TokenSource::Body(json_pointer(fields, selector)?),
            "header" => TokenSource::Header(selector),
            _ => return Err(fields.misfit("`extractFrom` is neither `body` nor `header`")),
        };
        let place = match fields.required_text("sendIn")?.as_str() {
            "header" => TokenPlace::Header,
            "query" => TokenPlace::Query,
            _ => return Err(fields.misfit("`sendIn` is neither `header` nor `query`")),
        };
        let template = fields.text("sendTemplate")?.unwrap_or_else(|| "{token}".to_owned());
        if !template.contains("{token}") {
            return Err(fields.misfit("`sendTemplate` has no `{token}`"));
        }
        Ok(Self { source, place, name: fields.required_text("sendName")?, template })
    }
}

impl SignupSpec {
    const FIELDS: [&'static str; 6] = ["endpoint", "externalEndpointURL", "payloadRaw", "verb", "contentType", "generators"];

    fn read(fields: &Fields<'_>) -> Result<Self, Misfit> {
        let members = fields.list("generators")?;
        if members.is_empty() {
            return Err(fields.misfit("`generators` is missing or empty"));
        }
        Ok(Self {
            endpoint: endpoint(fields)?,
            verb: verb(fields)?,
            content_type: fields.required_text("contentType")?,
            payload: fields.required_text("payloadRaw")?,
            generators: members
                .into_iter()
                .map(|(place, value)| GeneratorSpec::read(place, value))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl GeneratorSpec {
    const FIELDS: [&'static str; 5] = ["placeHolder", "minLength", "maxLength", "prefix", "postfix"];

    fn read(place: String, value: &serde_json::Value) -> Result<Self, Misfit> {
        let fields = Fields::of(place, value, &Self::FIELDS)?;
        let placeholder = fields.required_text("placeHolder")?;
        if placeholder.is_empty() {
            return Err(fields.misfit("`placeHolder` is empty"));
        }
        let prefix = fields.text("prefix")?.unwrap_or_default();
        let postfix = fields.text("postfix")?.unwrap_or_default();
        // Lengths are those of the whole value.
        let fixed = prefix.chars().count() + postfix.chars().count();
        let min = fields.length("minLength")?.unwrap_or(0).saturating_sub(fixed);
        let max = fields.length("maxLength")?.map_or(MAX_RANDOM, |max| max.saturating_sub(fixed).min(MAX_RANDOM));
        if max == 0 || min > max {
            return Err(fields.misfit("its lengths leave no room for a random part"));
        }
        Ok(Self { placeholder, prefix, postfix, n_random: USUAL_RANDOM.clamp(min.max(1), max) })
    }
}

fn headers(fields: &Fields<'_>, name: &str) -> Result<Vec<(String, String)>, Misfit> {
    let pair = |(place, value)| {
        let header = Fields::of(place, value, &["name", "value"])?;
        Ok((header.required_text("name")?, header.required_text("value")?))
    };
    fields.list(name)?.into_iter().map(pair).collect()
}

fn endpoint(fields: &Fields<'_>) -> Result<Endpoint, Misfit> {
    match (fields.text("endpoint")?, fields.text("externalEndpointURL")?) {
        (Some(endpoint), None) if !endpoint.contains("://") => {
            Ok(Endpoint::OnServer(if endpoint.starts_with('/') { endpoint } else { format!("/{endpoint}") }))
        }
        (Some(url), None) | (None, Some(url)) => {
            let url = Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            url.map(Endpoint::Elsewhere).ok_or_else(|| fields.misfit("the endpoint is no HTTP URL"))
        }
        (Some(_), Some(_)) => Err(fields.misfit("found both `endpoint` and `externalEndpointURL`, wanted one")),
        (None, None) => Err(fields.misfit("wanted `endpoint` or `externalEndpointURL`, found neither")),
    }
}

fn verb(fields: &Fields<'_>) -> Result<Method, Misfit> {
    let verb = fields.required_text("verb")?.to_ascii_uppercase();
    let known = [Method::POST, Method::GET, Method::PATCH, Method::DELETE, Method::PUT];
    let found = known.into_iter().find(|method| method.as_str() == verb);
    found.ok_or_else(|| fields.misfit("`verb` is none of POST, GET, PATCH, DELETE, PUT"))
}

fn payload(fields: &Fields<'_>) -> Result<Option<Payload>, Misfit> {
    let known = ["username", "password", "usernameField", "passwordField"];
    match (fields.text("payloadRaw")?, fields.object("payloadUserPwd", &known)?) {
        (Some(_), Some(_)) => Err(fields.misfit("found both `payloadRaw` and `payloadUserPwd`, wanted one")),
        (Some(raw), None) => Ok(Some(Payload::Raw(raw))),
        (None, Some(pair)) => Ok(Some(Payload::UserPassword {
            username_field: pair.required_text("usernameField")?,
            username: pair.required_text("username")?,
            password_field: pair.required_text("passwordField")?,
            password: pair.required_text("password")?,
        })),
        (None, None) => Ok(None),
    }
}

fn json_pointer(fields: &Fields<'_>, pointer: String) -> Result<String, Misfit> {
    if pointer.is_empty() || pointer.starts_with('/') {
        Ok(pointer)
    } else {
        Err(fields.misfit("the token's selector is no JSON pointer: it does not start with `/`"))
    }
}
