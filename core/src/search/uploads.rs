//! Files that a call uploads: where the service compares the usual name, or media type, of one with something, it looks at
//! them, and they become inputs of their own.

use serde_json::Value;

use crate::action::{Action, Upload, uploads};
use crate::api::{Api, Location};
use crate::random::Random;

use super::Evaluation;
use super::expansions::letters;
use super::hint::Hint;
use super::input::{ReadInput, ReadPlace};

/// Names and media types that files of the call have as long as no gene is there for them; they are tracked beside its values.
pub(super) fn sent_by(api: &Api, action: &Action) -> Vec<String> {
    let all = uploads(api, action).into_iter().flat_map(|upload| [upload.file_name, upload.media_type]).flatten();
    all.flat_map(|text| [text.to_lowercase(), text.to_uppercase(), text]).collect()
}

/// The names and media types of files that the service looked at in a call.
pub(super) fn looked_at(api: &Api, evaluation: &Evaluation, call_idx: usize) -> Vec<ReadInput> {
    let mut hints = evaluation.hints.iter().filter(|(idx, _)| *idx == call_idx).map(|(_, hint)| hint).peekable();
    let Some(action) = evaluation.individual.actions.get(call_idx).filter(|_| hints.peek().is_some()) else {
        return Vec::new();
    };
    let uploads = uploads(api, action);
    let looked_at = hints.flat_map(|hint| uploads.iter().filter_map(|upload| looked_at_by(hint, upload)));
    looked_at.collect()
}

/// What a hint shows of a file to be looked at. Of a name that may be what is behind its last dot; other parts of it, and of a
/// media type, are of common words.
fn looked_at_by(hint: &Hint, upload: &Upload) -> Option<ReadInput> {
    let is_hint_of = |text: &str| hint.tracked.eq_ignore_ascii_case(text);
    let ends = |name: &str| name.rfind('.').is_some_and(|dot| is_hint_of(&name[dot..]) || is_hint_of(&name[dot + 1..]));
    let is_name = upload.file_name.as_deref().is_some_and(|name| if hint.is_part { ends(name) } else { is_hint_of(name) });
    let is_type = upload.media_type.as_deref().is_some_and(|media_type| !hint.is_part && is_hint_of(media_type));
    let place = match (is_name, is_type) {
        (true, _) => ReadPlace::FileName,
        (_, true) => ReadPlace::FileType,
        _ => return None,
    };
    Some(ReadInput { place, name: upload.field.clone(), schema: "".into() })
}

/// A value for an input at `location` that can be told from others when the service compares it: a word, of files a name with
/// an ending, or a media type.
pub(super) fn word_at(location: Location, random: &mut Random) -> Value {
    let word = letters(random);
    Value::from(match location {
        Location::FileName => format!("{word}.{}", letters(random)),
        Location::FileType => format!("text/{word}"),
        _ => word,
    })
}

#[cfg(test)]
mod tests {
    use super::{Hint, Upload, looked_at_by};
    use crate::search::Usage;
    use crate::search::input::ReadPlace;

    #[test]
    fn a_file_whose_usual_name_or_type_is_compared_is_looked_at() {
        let upload = Upload {
            field: "plan".to_owned(),
            file_name: Some("plan.bin".to_owned()),
            media_type: Some("application/octet-stream".to_owned()),
        };
        let place = |tracked: &str, is_part| {
            let hint = Hint { tracked: tracked.to_owned(), is_part, usage: Usage::EndsWith, operand: ".csv".to_owned() };
            let input = looked_at_by(&hint, &upload)?;
            assert_eq!(input.name, "plan");
            Some(input.place)
        };
        assert_eq!(place("plan.bin", false), Some(ReadPlace::FileName));
        assert_eq!(place("PLAN.BIN", false), Some(ReadPlace::FileName));
        assert_eq!(place("bin", true), Some(ReadPlace::FileName));
        assert_eq!(place(".bin", true), Some(ReadPlace::FileName));
        assert_eq!(place("application/octet-stream", false), Some(ReadPlace::FileType));
        for (tracked, is_part) in [("plan", true), ("bin", false), ("application", true), ("other", false)] {
            assert_eq!(place(tracked, is_part), None, "{tracked}");
        }
        let chosen = Upload { file_name: None, media_type: None, ..upload };
        let hint = Hint { tracked: "plan.bin".to_owned(), is_part: false, usage: Usage::Equals, operand: String::new() };
        assert_eq!(looked_at_by(&hint, &chosen), None);
    }
}
