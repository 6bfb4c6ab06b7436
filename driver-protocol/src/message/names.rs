//! Names of targets, each of which travels once.

use serde::de::Error as _;
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names of targets with consecutive ids.
///
/// On the wire a name is the number of bytes it shares with the one before it, and the rest: targets of one class follow
/// each other, and their names differ at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Id of the first name. The first message begins at 0, each one where the one before it ended.
    pub first: u32,
    /// The names in the order of their ids.
    pub texts: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct FrontCoded<'a> {
    shared: u32,
    #[serde(borrow)]
    rest: &'a str,
}

/// Bytes both begin with, cut where a character of `next` begins.
fn shared_bytes(previous: &str, next: &str) -> usize {
    let equal = previous.bytes().zip(next.bytes()).take_while(|(left, right)| left == right).count();
    (0..=equal).rev().find(|&end| next.is_char_boundary(end)).unwrap_or(0)
}

struct Texts<'a>(&'a [String]);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        let mut previous = "";
        for text in self.0 {
            let (_, rest) = text.split_at(shared_bytes(previous, text));
            #[expect(clippy::cast_possible_truncation, reason = "frames are far shorter than 4 GB")]
            list.serialize_element(&FrontCoded { shared: (text.len() - rest.len()) as u32, rest })?;
            previous = text;
        }
        list.end()
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Names", 2)?;
        fields.serialize_field("first", &self.first)?;
        fields.serialize_field("texts", &Texts(&self.texts))?;
        fields.end()
    }
}

/// Bytes of all names of one message together. Front coding could otherwise make gigabytes out of a short message.
const LIMIT: usize = 256 * 1024 * 1024;

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Coded<'a> {
            first: u32,
            #[serde(borrow)]
            texts: Vec<FrontCoded<'a>>,
        }
        let coded = Coded::deserialize(deserializer)?;
        let mut texts: Vec<String> = Vec::with_capacity(coded.texts.len());
        let mut bytes = 0;
        for FrontCoded { shared, rest } in coded.texts {
            let previous = texts.last().map_or("", String::as_str);
            let shared = previous.get(..shared as usize).ok_or_else(|| D::Error::custom("a name shares more than there is"))?;
            bytes += shared.len() + rest.len();
            if bytes > LIMIT {
                return Err(D::Error::custom("names are too long"));
            }
            texts.push([shared, rest].concat());
        }
        Ok(Self { first: coded.first, texts })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_of_one_class_share_their_beginning() {
        let texts = ["line:com.acme.Foo:41", "line:com.acme.Foo:42", "line:com.acme.Bar:1"].map(str::to_owned).to_vec();
        let bytes = postcard::to_stdvec(&Names { first: 7, texts }).expect("encodes");
        assert_eq!(bytes, b"\x07\x03\x00\x14line:com.acme.Foo:41\x13\x012\x0e\x05Bar:1");
    }

    #[test]
    fn name_that_shares_too_much_is_refused() {
        assert!(postcard::from_bytes::<Names>(b"\x00\x02\x00\x01a\x02\x01b").is_err());
        assert!(postcard::from_bytes::<Names>("\x00\x02\x00\x02é\x01\x01b".as_bytes()).is_err(), "inside a character");
    }

    proptest! {
        #[test]
        fn names_come_back(first: u32, texts in proptest::collection::vec("[aé](\\PC{0,6})", 0..12)) {
            let names = Names { first, texts };
            let bytes = postcard::to_stdvec(&names).expect("encodes");
            prop_assert_eq!(postcard::from_bytes::<Names>(&bytes).expect("decodes"), names);
        }
    }
}
