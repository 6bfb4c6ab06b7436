//! What a driver tells of the inputs that the service reads.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The service read an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReadInput {
    /// Where it is sent.
    pub place: ReadPlace,
    /// Its name; of a body that of the type that it is read into. Without a name the service takes them all apart by itself.
    pub name: String,
    /// Its JSON schema as text, empty when it is not known.
    pub schema: Arc<str>,
}

/// Where an input is sent that the service reads, and how it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ReadPlace {
    /// A parameter of the query.
    Query,
    /// A header field.
    Header,
    /// A cookie; without a name when the service looks through them.
    Cookie,
    /// A field of a form.
    Form,
    /// A part of a multipart body.
    Part,
    /// A parameter behind the path: `;name=value`; without a name when the service looks through them.
    Matrix,
    /// A body that was read as it came, and parsed.
    Body,
    /// A text that was parsed, and may be the body.
    Parsed,
    /// A body that the framework read, of which validation demands something.
    Bound,
    /// A key of the body's object.
    Key,
    /// A key deeper in the body's object; its name is the way to it, a JSON pointer in which `-` is each member of an array,
    /// `~2` a key that is called so, and `~3` stands for all keys of an object: at its end, those that the service goes through.
    Way,
    /// A body that was read as it came, of which it is not known what the service takes it for.
    Raw,
    /// A body of a media type: the answer to a call without one was 415. No driver tells this.
    Wanted,
    /// The name of a file that is a part, known by what the usual one was compared with. No driver tells this.
    FileName,
    /// The media type of a file that is a part, known so as well. No driver tells this.
    FileType,
}

impl ReadPlace {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Query,
        Self::Header,
        Self::Cookie,
        Self::Form,
        Self::Part,
        Self::Matrix,
        Self::Body,
        Self::Parsed,
        Self::Bound,
        Self::Key,
        Self::Way,
        Self::Raw,
        Self::Wanted,
        Self::FileName,
        Self::FileType,
    ];

    /// What drivers call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Form => "form",
            Self::Part => "part",
            Self::Matrix => "matrix",
            Self::Body => "body",
            Self::Parsed => "parsed",
            Self::Bound => "bound",
            Self::Key => "key",
            Self::Way => "way",
            Self::Raw => "raw",
            Self::Wanted => "wanted",
            Self::FileName => "file_name",
            Self::FileType => "file_type",
        }
    }

    /// Whether it is named by a type, or not at all.
    pub fn is_body(self) -> bool {
        matches!(self, Self::Body | Self::Parsed | Self::Bound | Self::Raw | Self::Wanted)
    }

    /// The place that drivers call so; none for those that are not known here.
    pub fn of_name(name: &str) -> Option<Self> {
        let is_told = |place: &Self| !matches!(place, Self::Wanted | Self::FileName | Self::FileType);
        Self::ALL.into_iter().find(|place| place.name() == name && is_told(place))
    }
}
