//! Where a document comes from, and its bytes.

mod download;

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use reqwest::header::HeaderMap;
use url::Url;

use super::{Error, text};

/// Largest document that is read.
const LIMIT_BYTES: u64 = 256 << 20;

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// An `http` or `https` address.
    Url(Url),
    /// Text without a place; references to other documents lead nowhere.
    Text,
}

impl Origin {
    /// The place that `location` names: an `http(s)` URL, a `file` URL or a path.
    pub fn of(location: &str) -> Result<Self, Error> {
        match Url::parse(location) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Self::Url(url)),
            Ok(url) if url.scheme() == "file" => url.to_file_path().map(Self::File).map_err(|()| Error::Read {
                origin: location.to_owned(),
                source: std::io::Error::from(std::io::ErrorKind::InvalidInput),
            }),
            _ if location.starts_with("http://") || location.starts_with("https://") => {
                Err(Error::Fetch { url: location.to_owned(), reason: "it is no valid URL".to_owned() })
            }
            _ => Ok(Self::File(PathBuf::from(location))),
        }
    }

    /// The document that `relative` names beside this one; none when it lies on another host.
    pub(super) fn join(&self, relative: &str) -> Option<Self> {
        match self {
            Self::Url(base) => {
                let url = base.join(relative).ok()?;
                (url.origin() == base.origin() && url.origin().is_tuple()).then_some(Self::Url(url))
            }
            Self::File(base) => {
                let decoded = percent_encoding::percent_decode_str(relative).decode_utf8().ok()?;
                let is_local = Url::parse(relative).is_err() && !decoded.contains('\0');
                is_local.then(|| Self::File(normal(&base.parent().unwrap_or(Path::new("")).join(&*decoded))))
            }
            Self::Text => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file_path) => write!(f, "{}", file_path.display()),
            Self::Url(url) => {
                let mut shown = url.clone();
                if shown.password().is_some() {
                    // Fails only for URLs without a host, which cannot have a password.
                    let _ = shown.set_password(Some("***"));
                }
                write!(f, "{shown}")
            }
            Self::Text => f.write_str("(text)"),
        }
    }
}

/// `file_path` without `.` and, where possible, `..`, so that one file has one name.
fn normal(file_path: &Path) -> PathBuf {
    use std::path::Component;
    let mut out = PathBuf::new();
    for component in file_path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            _ => out.push(component),
        }
    }
    out
}

/// How servers are asked for documents.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Whether certificates are accepted that this machine does not trust.
    pub any_certificate: bool,
    /// A server, by any URL of it, and the header fields that it is sent, and no other.
    pub fields: Option<(Url, HeaderMap)>,
}

impl Access {
    /// What is sent when `url` is asked for.
    fn fields_for(&self, url: &Url) -> HeaderMap {
        let own = self.fields.as_ref().filter(|(server, _)| server.origin() == url.origin());
        own.map(|(_, fields)| fields.clone()).unwrap_or_default()
    }
}

/// The text at `origin`, and where it really came from: a server may redirect, and what a document refers to is meant
/// from there (RFC 3986 5.1.3). Of [`Origin::Text`] there is none.
pub(super) fn read(origin: &Origin, access: &Access) -> Result<(String, Origin), Error> {
    let (bytes, origin) = match origin {
        Origin::File(file_path) => (read_file(file_path)?, origin.clone()),
        Origin::Url(url) => download::fetch(url, access).map(|(bytes, url)| (bytes, Origin::Url(url)))?,
        Origin::Text => (Vec::new(), Origin::Text),
    };
    Ok((text::of_bytes(&bytes, LIMIT_BYTES), origin))
}

fn read_file(file_path: &Path) -> Result<Vec<u8>, Error> {
    let origin = file_path.display().to_string();
    let failed = |source| Error::Read { origin: origin.clone(), source };
    let file = std::fs::File::open(file_path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    let mut bytes = Vec::new();
    file.take(LIMIT_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LIMIT_BYTES {
        return Err(Error::TooLarge { origin: origin.clone(), limit_bytes: LIMIT_BYTES });
    }
    Ok(bytes)
}
