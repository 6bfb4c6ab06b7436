//! The service under test: sends each request exactly as a test writes it. README.md lists the environment variables.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::env;
use std::hash::BuildHasher;
use std::io::Read;
use std::time::{Duration, SystemTime};

use flate2::read::{GzDecoder, ZlibDecoder};
use regex_lite::Regex;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Url};
use serde_json::Value;
use tokio::sync::{Mutex, MutexGuard};

const BASE_URL: &str = "http://127.0.0.1:8080/api";
const TIME_LIMIT: Duration = Duration::from_secs(60);
const KEEPER_LIMIT: Duration = Duration::from_secs(300);
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;
const MAX_WAIT: Duration = Duration::from_secs(30);
const MAX_RESENDS: usize = 3;

/// Environment variables that hold the header fields of each user, one `Name: value` a line (`?name=value` for a query
/// parameter).
const USERS: [(&str, &str); 1] = [
    ("alice", "RESTIVE_AUTH_ALICE"),
];

/// Held by the test whose turn it is.
static TURN: Mutex<()> = Mutex::const_new(());

/// The service, in its first state when it has a call or a keeper for that.
pub struct Service {
    client: Client,
    base_url: String,
    _turn: MutexGuard<'static, ()>,
}

impl Service {
    /// Waits for the turn of this test and resets the service.
    pub async fn ready() -> Self {
        let turn = TURN.lock().await;
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .no_proxy()
            .http1_only()
            .pool_max_idle_per_host(0)
            .timeout(TIME_LIMIT)
            .user_agent("restive-suite")
            .build()
            .expect("a client");
        let base_url = match env::var("RESTIVE_BASE_URL") {
            Ok(given) => given,
            Err(_) if keeper().is_some() => served_url(&client).await,
            Err(_) => BASE_URL.to_owned(),
        };
        let base_url = base_url.trim_end_matches('/').to_owned();
        let service = Self { client, base_url, _turn: turn };
        service.reset().await;
        service
    }

    async fn reset(&self) {
        if keeper().is_some() {
            ask_keeper(&self.client, Method::POST, "/reset").await;
            return;
        }
        let url = variable("RESTIVE_RESET_URL", "/reset");
        if !url.is_empty() {
            let verb = variable("RESTIVE_RESET_VERB", "POST");
            let method = Method::from_bytes(verb.as_bytes()).expect("a verb");
            let response = self.request(method, &url).send().await;
            assert!(response.status < 400, "{verb} {url} answered {}", response.status);
        }
    }

    /// Starts a GET of a path below the base URL.
    pub fn get(&self, url: &str) -> Request<'_> {
        self.request(Method::GET, url)
    }

    /// Starts a PUT of a path below the base URL.
    pub fn put(&self, url: &str) -> Request<'_> {
        self.request(Method::PUT, url)
    }

    /// Starts a POST of a path below the base URL.
    pub fn post(&self, url: &str) -> Request<'_> {
        self.request(Method::POST, url)
    }

    /// Starts a DELETE of a path below the base URL.
    pub fn delete(&self, url: &str) -> Request<'_> {
        self.request(Method::DELETE, url)
    }

    /// Starts a OPTIONS of a path below the base URL.
    pub fn options(&self, url: &str) -> Request<'_> {
        self.request(Method::OPTIONS, url)
    }

    /// Starts a HEAD of a path below the base URL.
    pub fn head(&self, url: &str) -> Request<'_> {
        self.request(Method::HEAD, url)
    }

    /// Starts a PATCH of a path below the base URL.
    pub fn patch(&self, url: &str) -> Request<'_> {
        self.request(Method::PATCH, url)
    }

    /// Starts a TRACE of a path below the base URL.
    pub fn trace(&self, url: &str) -> Request<'_> {
        self.request(Method::TRACE, url)
    }

    fn request(&self, method: Method, url: &str) -> Request<'_> {
        let is_absolute = url.starts_with("http://") || url.starts_with("https://");
        let url = if is_absolute { url.to_owned() } else { format!("{}{url}", self.base_url) };
        let request = Request { service: self, method, url, fields: HeaderMap::new(), body: Vec::new(), user: None };
        request.header("Accept", "*/*")
    }
}

/// Where a `restive sut serve` listens that says where the service is and resets it.
fn keeper() -> Option<String> {
    let url = variable("RESTIVE_SUT_URL", "").trim_end_matches('/').to_owned();
    Some(url).filter(|url| !url.is_empty())
}

/// Asks the keeper; its answer comes when the work is done.
async fn ask_keeper(client: &Client, method: Method, path: &str) -> Value {
    let url = keeper().unwrap_or_default() + path;
    let token = variable("RESTIVE_SUT_TOKEN", "");
    let request = client.request(method.clone(), &url).bearer_auth(token).timeout(KEEPER_LIMIT);
    let answer = request.send().await.unwrap_or_else(|error| panic!("{method} {url} got no answer: {error}"));
    let status = answer.status().as_u16();
    let body = answer.bytes().await.unwrap_or_default();
    assert!(status == 200, "{method} {url} answered {status}: {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).expect("the keeper answers with JSON")
}

/// Where a kept service listens; the path below which the tests call stays, unless the keeper names one.
async fn served_url(client: &Client) -> String {
    let status = ask_keeper(client, Method::GET, "/status").await;
    let served = status["base_url"].as_str().unwrap_or_default().trim_end_matches('/');
    let path = |url: &str| Url::parse(url).map(|url| url.path().trim_end_matches('/').to_owned()).unwrap_or_default();
    if path(served).is_empty() { format!("{served}{}", path(BASE_URL)) } else { served.to_owned() }
}

/// A request in the making.
pub struct Request<'a> {
    service: &'a Service,
    method: Method,
    url: String,
    fields: HeaderMap,
    body: Vec<u8>,
    user: Option<&'static str>,
}

impl Request<'_> {
    /// Sets a header field.
    pub fn header(mut self, name: &str, value: impl AsRef<str>) -> Self {
        let (name, value) = field(name, value.as_ref());
        self.fields.insert(name, value);
        self
    }

    /// Adds a header field beside others of its name.
    pub fn another_header(mut self, name: &str, value: impl AsRef<str>) -> Self {
        let (name, value) = field(name, value.as_ref());
        self.fields.append(name, value);
        self
    }

    /// Sets the body and its media type.
    pub fn json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("Content-Type", "application/json").body(body)
    }

    /// Sets the body alone.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends the credentials of a user, which come from the environment.
    pub fn user(mut self, user: &'static str) -> Self {
        self.user = Some(user);
        self
    }

    /// Sends the request; the service has to answer.
    pub async fn send(self) -> Response {
        let name = format!("{} {}", self.method, self.url);
        self.try_send().await.unwrap_or_else(|error| panic!("{name} got no answer: {error}"))
    }

    /// Sends the request, again when the service asks to wait.
    ///
    /// # Errors
    /// When no whole answer comes.
    pub async fn try_send(mut self) -> Result<Response, reqwest::Error> {
        self.add_credentials();
        let url = Url::parse(&self.url).unwrap_or_else(|error| panic!("`{}` is no URL: {error}", self.url));
        if self.body.is_empty() && [Method::PATCH, Method::POST, Method::PUT].contains(&self.method) {
            self.fields.insert("content-length", HeaderValue::from_static("0"));
        }
        let mut resends = 0;
        loop {
            let mut request = reqwest::Request::new(self.method.clone(), url.clone());
            *request.headers_mut() = self.fields.clone();
            if !self.body.is_empty() {
                *request.body_mut() = Some(self.body.clone().into());
            }
            let response = Response::read(self.service.client.execute(request).await?).await?;
            match response.asked_wait() {
                Some(wait) if resends < MAX_RESENDS => tokio::time::sleep(wait).await,
                _ => return Ok(response),
            }
            resends += 1;
        }
    }

    /// Puts the fields for every call and those of the user in place of others; cookies are joined.
    fn add_credentials(&mut self) {
        let mut lines = variable("RESTIVE_HEADERS", "");
        if let Some(user) = self.user {
            let (_, name) = USERS.iter().find(|(name, _)| *name == user).expect("every user has a variable");
            let secret = env::var(name).unwrap_or_else(|_| {
                panic!("set {name} to the header fields of {user}, such as 'Authorization: Bearer ...'")
            });
            lines = format!("{lines}\n{secret}");
        }
        for line in lines.lines() {
            if let Some(parameter) = line.strip_prefix('?') {
                self.url.push(if self.url.contains('?') { '&' } else { '?' });
                self.url.push_str(parameter);
            } else if let Some((name, value)) = line.split_once(':') {
                let (name, value) = field(name.trim(), value.trim());
                let known = self.fields.get(&name).filter(|_| name == "cookie");
                let joined = known.map(|known| [known.as_bytes(), b"; ", value.as_bytes()].concat());
                let value = joined.map_or(value, |joined| HeaderValue::from_bytes(&joined).expect("a field"));
                self.fields.insert(name, value);
            }
        }
    }
}

fn field(name: &str, value: &str) -> (HeaderName, HeaderValue) {
    let invalid = || format!("`{name}: {value}` is no header field");
    let parsed = name.parse().ok().zip(HeaderValue::from_bytes(value.as_bytes()).ok());
    parsed.unwrap_or_else(|| panic!("{}", invalid()))
}

fn variable(name: &str, otherwise: &str) -> String {
    env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

/// An answer.
pub struct Response {
    /// Its status.
    pub status: u16,
    fields: HeaderMap,
    body: Vec<u8>,
}

impl Response {
    async fn read(mut answer: reqwest::Response) -> Result<Self, reqwest::Error> {
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            body.extend_from_slice(&part);
            if body.len() >= MAX_BODY_BYTES {
                body.truncate(MAX_BODY_BYTES);
                break;
            }
        }
        let (status, fields) = (answer.status().as_u16(), answer.headers().clone());
        let body = decoded(&body, &fields).unwrap_or(body);
        Ok(Self { status, fields, body })
    }

    /// The value of a header field.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
    }

    /// The media type without parameters.
    pub fn media_type(&self) -> String {
        let essence = self.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
        essence.trim().to_ascii_lowercase()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    pub fn json(&self) -> Json {
        let value = serde_json::from_slice(&self.body);
        Json(value.unwrap_or_else(|error| panic!("the body is not JSON: {error}: {}", self.text())))
    }

    /// The value of the cookie of that name that it sets.
    pub fn cookie(&self, name: &str) -> String {
        let fields = self.fields.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let set = fields.filter_map(|field| field.strip_prefix(name)?.strip_prefix('=')).last().expect("the cookie");
        set.split(';').next().unwrap_or_default().trim().to_owned()
    }

    /// The last segment of the `Location` field: usually the id of what was created.
    pub fn last_segment(&self) -> String {
        segment(self.header("location").unwrap_or_default(), 0)
    }

    /// How long the service asks to wait before the same request; none when the answer counts.
    fn asked_wait(&self) -> Option<Duration> {
        let asked = self.header("retry-after").filter(|_| self.status == 429)?.trim();
        let date = || Some(httpdate::parse_http_date(asked).ok()?.duration_since(SystemTime::now()).unwrap_or_default());
        asked.parse().ok().map(Duration::from_secs).or_else(date).filter(|wait| *wait <= MAX_WAIT)
    }
}

/// A segment of the path of a URL, counted from the last one, which is 0.
fn segment(url: &str, from_end: usize) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    decode_percent(path.rsplit('/').filter(|segment| !segment.is_empty()).nth(from_end).unwrap_or_default())
}

/// A body without its content codings; none when one of them is unknown or wrong.
fn decoded(body: &[u8], fields: &HeaderMap) -> Option<Vec<u8>> {
    let codings = fields.get("content-encoding")?.to_str().ok()?.to_ascii_lowercase();
    let mut plain = body.to_vec();
    for coding in codings.split([',', ' ']).filter(|coding| !coding.is_empty()).rev() {
        let mut next = Vec::new();
        match coding {
            "gzip" | "x-gzip" => GzDecoder::new(&*plain).take(MAX_BODY_BYTES as u64).read_to_end(&mut next).ok()?,
            "deflate" => ZlibDecoder::new(&*plain).take(MAX_BODY_BYTES as u64).read_to_end(&mut next).ok()?,
            "identity" => continue,
            _ => return None,
        };
        plain = next;
    }
    Some(plain)
}

/// A JSON body, read by JSON pointers such as `/items/0/name`.
pub struct Json(Value);

impl Json {
    fn at(&self, pointer: &str) -> &Value {
        self.0.pointer(pointer).unwrap_or_else(|| panic!("nothing at `{pointer}` of {}", self.0))
    }

    fn wrong(&self, wanted: &str, pointer: &str) -> ! {
        panic!("wanted {wanted} at `{pointer}`, found {}", self.at(pointer))
    }

    /// The string at a pointer.
    pub fn text(&self, pointer: &str) -> &str {
        self.at(pointer).as_str().unwrap_or_else(|| self.wrong("a string", pointer))
    }

    /// The whole number at a pointer; 1.0 is one too.
    pub fn integer(&self, pointer: &str) -> i128 {
        let value = self.at(pointer);
        let whole = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
        let rounded = || value.as_f64().filter(|number| number.fract() == 0.0).map(|number| number as i128);
        whole.or_else(rounded).unwrap_or_else(|| self.wrong("a whole number", pointer))
    }

    /// The number at a pointer.
    pub fn number(&self, pointer: &str) -> f64 {
        self.at(pointer).as_f64().unwrap_or_else(|| self.wrong("a number", pointer))
    }

    /// The boolean at a pointer.
    pub fn boolean(&self, pointer: &str) -> bool {
        self.at(pointer).as_bool().unwrap_or_else(|| self.wrong("a boolean", pointer))
    }

    /// The members of the array at a pointer.
    pub fn array(&self, pointer: &str) -> &[Value] {
        self.at(pointer).as_array().unwrap_or_else(|| self.wrong("an array", pointer))
    }

    /// The fields of the object at a pointer.
    pub fn object(&self, pointer: &str) -> BTreeMap<&String, &Value> {
        self.at(pointer).as_object().unwrap_or_else(|| self.wrong("an object", pointer)).iter().collect()
    }

    /// The strings of the array at a pointer, sorted.
    pub fn texts(&self, pointer: &str) -> Vec<&str> {
        let mut texts: Vec<&str> = self.array(pointer).iter().filter_map(Value::as_str).collect();
        texts.sort_unstable();
        texts
    }

    /// The whole numbers of the array at a pointer, sorted.
    pub fn integers(&self, pointer: &str) -> Vec<i64> {
        let mut integers: Vec<i64> = self.array(pointer).iter().filter_map(Value::as_i64).collect();
        integers.sort_unstable();
        integers
    }

    /// The string, number or boolean at a pointer as text.
    pub fn scalar(&self, pointer: &str) -> String {
        let value = self.at(pointer);
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    }

    /// A segment of the path of the URL at a pointer, counted from the last one, which is 0.
    pub fn segment(&self, pointer: &str, from_end: usize) -> String {
        segment(&self.scalar(pointer), from_end)
    }

    /// Whether null is at a pointer.
    pub fn is_null(&self, pointer: &str) -> bool {
        self.at(pointer).is_null()
    }

    /// Whether a number is at a pointer.
    pub fn is_number(&self, pointer: &str) -> bool {
        self.at(pointer).is_number()
    }

    /// Whether a string is at a pointer.
    pub fn is_text(&self, pointer: &str) -> bool {
        self.at(pointer).is_string()
    }

    /// Whether a boolean is at a pointer.
    pub fn is_boolean(&self, pointer: &str) -> bool {
        self.at(pointer).is_boolean()
    }

    /// Whether an array is at a pointer.
    pub fn is_array(&self, pointer: &str) -> bool {
        self.at(pointer).is_array()
    }

    /// Whether an object is at a pointer.
    pub fn is_object(&self, pointer: &str) -> bool {
        self.at(pointer).is_object()
    }

    /// Whether a string that looks like that is at a pointer.
    pub fn is_uuid(&self, pointer: &str) -> bool {
        looks_like("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$", self.text(pointer))
    }

    /// Whether a string that looks like that is at a pointer.
    pub fn is_date_time(&self, pointer: &str) -> bool {
        looks_like("^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$", self.text(pointer))
    }

    /// Whether a string that looks like that is at a pointer.
    pub fn is_date(&self, pointer: &str) -> bool {
        looks_like("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", self.text(pointer))
    }

    /// Whether a string that looks like that is at a pointer.
    pub fn is_digits(&self, pointer: &str) -> bool {
        looks_like("^[0-9]+$", self.text(pointer))
    }

    /// Whether a string that looks like that is at a pointer.
    pub fn is_hexadecimal(&self, pointer: &str) -> bool {
        looks_like("^[0-9A-Fa-f]{8,}$", self.text(pointer))
    }
}

fn looks_like(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).expect("a valid pattern").is_match(text)
}

/// Another text of the same kind: the service takes each once. What stands behind an `@` stays.
pub fn fresh(like: &str) -> String {
    const KINDS: [&str; 5] = ["abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "123456789"];
    let (head, tail) = like.split_at(like.find('@').unwrap_or(like.len()));
    let draw = |letter: char| {
        let kind = KINDS.iter().find(|kind| kind.contains(letter))?;
        // The keys of hash maps are random.
        let bits = usize::try_from(RandomState::new().hash_one(letter) >> 33).unwrap_or_default();
        kind.chars().nth(bits % kind.len())
    };
    head.chars().map(|letter| draw(letter).unwrap_or(letter)).collect::<String>() + tail
}

/// A value as it stands in a URL.
pub fn url_part(value: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let part = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(part).collect()
}

/// A value as it stands between the quotes of a JSON string.
pub fn json_part(value: &str) -> String {
    let quoted = Value::from(value).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// A value as it stands in XML.
pub fn xml_part(value: &str) -> String {
    let escaped = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace('"', "&quot;").replace('\'', "&apos;")
}

fn decode_percent(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let code = others.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
