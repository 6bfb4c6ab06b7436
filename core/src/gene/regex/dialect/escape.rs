//! Escapes of both dialects, inside and outside classes.

use super::super::Dialect;
use super::Translator;

/// What one escape stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Atom {
    /// One character.
    Single(char),
    /// Several literal characters (`\Q…\E`).
    Literals(String),
    /// The inside of a class.
    Ranges(&'static str),
    /// A class with its brackets, or `\p{…}`.
    Class(String),
    /// Anything that may not stand in a class.
    Text(&'static str),
    /// An assertion.
    Look(&'static str),
}

impl Atom {
    /// As part of a class.
    pub(super) fn in_class(&self) -> String {
        match self {
            Self::Single(character) => literal(*character),
            Self::Literals(text) => text.chars().map(literal).collect(),
            Self::Ranges(ranges) => (*ranges).to_owned(),
            Self::Class(class) => class.clone(),
            Self::Text(_) | Self::Look(_) => String::new(),
        }
    }
}

/// Bytes of a shape, which back references to groups with back references multiply.
const MAX_SHAPE: usize = 20_000;
const SPACE: &str = r"\t\n\x0B\f\r ";
// ECMA-262 22.2.2.9: WhiteSpace and LineTerminator.
const ECMA_SPACE: &str = r"\t\n\x0B\f\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const HORIZONTAL: &str = r" \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}";
const VERTICAL: &str = r"\n\x0B\f\r\x{85}\x{2028}\x{2029}";
const LINE_BREAK: &str = r"(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])";
const WORD: &str = "A-Za-z0-9_";

/// `character` as itself, in and outside classes.
pub(super) fn literal(character: char) -> String {
    if regex_syntax::is_meta_character(character) {
        format!("\\{character}")
    } else if character.is_control() {
        format!("\\x{{{:X}}}", u32::from(character))
    } else {
        character.to_string()
    }
}

impl Translator {
    /// An escape outside a class, its backslash consumed; says whether a quantifier may follow.
    pub(super) fn escape_outside(&mut self) -> Result<bool, String> {
        if let Some(digit @ '1'..='9') = self.peek() {
            let number = digit.to_digit(10).map_or(0, |digit| digit as usize);
            if number <= self.groups.len() {
                self.at += 1;
                return self.back_reference(number);
            }
        }
        if self.chars[self.at..].starts_with(&['k', '<']) {
            self.at += 2;
            let name = self.skip_past('>')?;
            let number = self.groups.iter().position(|group| group.name.as_deref() == Some(&*name));
            return self.back_reference(number.ok_or_else(|| format!("group `{name}` is not known"))? + 1);
        }
        let atom = self.escape(false)?;
        match &atom {
            Atom::Look(look) => self.emit(look),
            Atom::Text(text) => self.emit(text),
            Atom::Ranges(ranges) => self.emit(&format!("[{ranges}]")),
            Atom::Single(character) => self.emit(&literal(*character)),
            Atom::Literals(_) | Atom::Class(_) => self.emit(&atom.in_class()),
        }
        let is_empty = matches!(&atom, Atom::Literals(text) if text.is_empty());
        Ok(!matches!(atom, Atom::Look(_)) && !is_empty)
    }

    /// Draws what the group allows; that it is the same text once more is left to the matcher.
    fn back_reference(&mut self, number: usize) -> Result<bool, String> {
        self.out.exact = false;
        let reference = format!("(?:\\{number})");
        self.out.full.push_str(&reference);
        let shape = format!("(?:{})", self.groups[number - 1].shape);
        self.emit_shape(&shape);
        if self.out.shape.len() > MAX_SHAPE { Err("back references repeat too much".to_owned()) } else { Ok(true) }
    }

    /// The escape whose backslash is consumed.
    pub(super) fn escape(&mut self, in_class: bool) -> Result<Atom, String> {
        let java = self.dialect == Dialect::Java;
        let letter = self.next().ok_or("the pattern ends with a backslash")?;
        Ok(match letter {
            'd' => Atom::Ranges("0-9"),
            'D' => Atom::Class("[^0-9]".to_owned()),
            'w' => Atom::Ranges(WORD),
            'W' => Atom::Class(format!("[^{WORD}]")),
            's' => Atom::Ranges(if java { SPACE } else { ECMA_SPACE }),
            'S' => Atom::Class(format!("[^{}]", if java { SPACE } else { ECMA_SPACE })),
            'n' => Atom::Single('\n'),
            'r' => Atom::Single('\r'),
            't' => Atom::Single('\t'),
            'f' => Atom::Single('\u{c}'),
            'v' if !java => Atom::Single('\u{b}'),
            'b' if in_class => Atom::Single('\u{8}'),
            'b' => Atom::Look(r"\b"),
            'B' if !in_class => Atom::Look(r"\B"),
            'x' => Atom::Single(self.hexadecimal(2)?),
            'u' => Atom::Single(self.unicode_escape()?),
            'c' => self.control()?,
            'p' | 'P' => self.property(letter == 'P')?,
            '0'..='9' => Atom::Single(self.octal(letter)),
            'A' | 'Z' | 'z' | 'G' if !in_class => self.text_boundary(letter),
            'h' | 'H' | 'v' | 'V' | 'R' | 'Q' | 'E' | 'e' | 'a' | 'X' | 'N' if java => self.java_escape(letter)?,
            other => Atom::Single(other),
        })
    }

    /// Anchors of other dialects; an ECMA-262 engine would take them as letters, which is never meant.
    fn text_boundary(&mut self, letter: char) -> Atom {
        self.out.is_ecma = false;
        Atom::Look(if matches!(letter, 'A' | 'G') { r"\A" } else { r"\z" })
    }

    fn java_escape(&mut self, letter: char) -> Result<Atom, String> {
        Ok(match letter {
            'h' => Atom::Ranges(HORIZONTAL),
            'H' => Atom::Class(format!("[^{HORIZONTAL}]")),
            'v' => Atom::Ranges(VERTICAL),
            'V' => Atom::Class(format!("[^{VERTICAL}]")),
            'R' => Atom::Text(LINE_BREAK),
            'e' => Atom::Single('\u{1b}'),
            'a' => Atom::Single('\u{7}'),
            'E' => Atom::Literals(String::new()),
            'Q' => Atom::Literals(self.quoted()),
            other => return Err(format!(r"`\{other}` is not supported")),
        })
    }

    /// Everything up to `\E` or the end.
    fn quoted(&mut self) -> String {
        let rest = &self.chars[self.at..];
        let length = rest.windows(2).position(|pair| pair == ['\\', 'E']);
        let text = rest[..length.unwrap_or(rest.len())].iter().collect();
        self.at += length.map_or(rest.len(), |length| length + 2);
        text
    }

    /// `\cX` (ECMA-262 22.2.1, Java: the code of X with bit 64 flipped); a lone `\c` is a backslash and a letter.
    fn control(&mut self) -> Result<Atom, String> {
        match self.peek() {
            Some(letter) if letter.is_ascii_alphabetic() || (self.dialect == Dialect::Java && letter.is_ascii()) => {
                self.at += 1;
                let code = letter as u32;
                let code = if self.dialect == Dialect::Java { code ^ 64 } else { code % 32 };
                char::from_u32(code).map(Atom::Single).ok_or_else(|| "a control escape is not a character".to_owned())
            }
            _ => Ok(Atom::Literals(r"\c".to_owned())),
        }
    }

    /// `\xHH` and `\x{H…}`; without digits the letter itself (ECMA-262 B.1.2).
    fn hexadecimal(&mut self, digits: usize) -> Result<char, String> {
        let letter = self.chars[self.at - 1];
        if self.take("{") {
            self.out.unicode = true;
            let text = self.skip_past('}')?;
            let code = u32::from_str_radix(&text, 16).ok().and_then(char::from_u32);
            return code.ok_or_else(|| format!("`{text}` is not a character code"));
        }
        let Some(code) = self.hexadecimal_code(digits) else { return Ok(letter) };
        Ok(char::from_u32(code).unwrap_or_else(|| {
            // Half of a surrogate pair is no character; there is none to draw in its place.
            self.out.exact = false;
            '\u{fffd}'
        }))
    }

    fn hexadecimal_code(&mut self, digits: usize) -> Option<u32> {
        let text: String = self.chars.get(self.at..self.at + digits)?.iter().collect();
        let code = text.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(&text, 16).ok()).flatten()?;
        self.at += digits;
        Some(code)
    }

    /// `\uHHHH`, two of them for a character beyond U+FFFF.
    fn unicode_escape(&mut self) -> Result<char, String> {
        let start = self.at;
        if let Some(high @ 0xD800..=0xDBFF) = self.hexadecimal_code(4) {
            if self.take("\\u")
                && let Some(low @ 0xDC00..=0xDFFF) = self.hexadecimal_code(4)
            {
                self.out.unicode = true;
                let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                return char::from_u32(code).ok_or_else(|| "a surrogate pair is not a character".to_owned());
            }
            self.at = start;
        } else {
            self.at = start;
        }
        self.hexadecimal(4)
    }

    /// `\0`, octal escapes, and digits that refer to no group (ECMA-262 B.1.2).
    fn octal(&mut self, first: char) -> char {
        if first > '7' {
            return first;
        }
        let mut code = first.to_digit(8).unwrap_or(0);
        let most = if self.dialect == Dialect::Java { 3 } else { 2 };
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|next| next.to_digit(8)) else { break };
            if code * 8 + digit > 0o377 {
                break;
            }
            code = code * 8 + digit;
            self.at += 1;
        }
        char::from_u32(code).unwrap_or('\0')
    }

    /// `\p{…}`, `\P{…}`, `\pL`.
    fn property(&mut self, negated: bool) -> Result<Atom, String> {
        let name = if self.take("{") {
            self.skip_past('}')?
        } else if self.dialect == Dialect::Java {
            self.next().ok_or("a property has no name")?.to_string()
        } else {
            return Ok(Atom::Single(if negated { 'P' } else { 'p' }));
        };
        self.out.unicode = true;
        let java = self.dialect == Dialect::Java;
        let ascii = posix(&name).or_else(|| block(&name).filter(|_| java));
        if let Some(ranges) = ascii.filter(|_| java) {
            return Ok(if negated { Atom::Class(format!("[^{ranges}]")) } else { Atom::Ranges(ranges) });
        }
        let unicode = unicode_name(&name);
        let text = format!(r"\{}{{{unicode}}}", if negated { 'P' } else { 'p' });
        if regex_syntax::parse(&text).is_ok() {
            return Ok(Atom::Class(text));
        }
        // A property of other dialects is meant as such; in US-ASCII they agree about it.
        let ranges = ascii.ok_or_else(|| format!("property `{name}` is not known"))?;
        self.out.is_ecma = false;
        Ok(if negated { Atom::Class(format!(r"[[^{ranges}]&&[\x00-\x7F]]")) } else { Atom::Ranges(ranges) })
    }
}

/// Java's POSIX classes, US-ASCII only.
fn posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "Lower" | "javaLowerCase" => "a-z",
        "Upper" | "javaUpperCase" => "A-Z",
        "ASCII" | "InBasicLatin" | "InBasic_Latin" | "InBASIC_LATIN" => r"\x00-\x7F",
        "Alpha" => "A-Za-z",
        "Digit" => "0-9",
        "Alnum" => "A-Za-z0-9",
        "Punct" => r"!-/:-@\[-`{-~",
        "Graph" => "!-~",
        "Print" => " -~",
        "Blank" => r" \t",
        "Cntrl" => r"\x00-\x1F\x7F",
        "XDigit" => "0-9A-Fa-f",
        "Space" | "javaWhitespace" => SPACE,
        "L1" => r"\x00-\x{FF}",
        _ => return None,
    })
}

/// Java's blocks: `InGreek`, `block=Greek`, `blk=…`; the usual ones, as ranges of characters.
fn block(name: &str) -> Option<&'static str> {
    let name = ["In", "block=", "blk="].iter().find_map(|prefix| name.strip_prefix(prefix))?;
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    BLOCKS.iter().find(|(block, _)| *block == plain).map(|(_, range)| *range)
}

/// Blocks of Unicode 15 by their names without blanks and hyphens, in lower case; the older names of Java beside them.
const BLOCKS: [(&str, &str); 41] = [
    ("basiclatin", r"\x00-\x7F"),
    ("latin1supplement", r"\x{80}-\x{FF}"),
    ("latinextendeda", r"\x{100}-\x{17F}"),
    ("latinextendedb", r"\x{180}-\x{24F}"),
    ("ipaextensions", r"\x{250}-\x{2AF}"),
    ("spacingmodifierletters", r"\x{2B0}-\x{2FF}"),
    ("combiningdiacriticalmarks", r"\x{300}-\x{36F}"),
    ("greek", r"\x{370}-\x{3FF}"),
    ("greekandcoptic", r"\x{370}-\x{3FF}"),
    ("cyrillic", r"\x{400}-\x{4FF}"),
    ("armenian", r"\x{530}-\x{58F}"),
    ("hebrew", r"\x{590}-\x{5FF}"),
    ("arabic", r"\x{600}-\x{6FF}"),
    ("devanagari", r"\x{900}-\x{97F}"),
    ("bengali", r"\x{980}-\x{9FF}"),
    ("tamil", r"\x{B80}-\x{BFF}"),
    ("thai", r"\x{E00}-\x{E7F}"),
    ("tibetan", r"\x{F00}-\x{FFF}"),
    ("georgian", r"\x{10A0}-\x{10FF}"),
    ("hanguljamo", r"\x{1100}-\x{11FF}"),
    ("latinextendedadditional", r"\x{1E00}-\x{1EFF}"),
    ("greekextended", r"\x{1F00}-\x{1FFF}"),
    ("generalpunctuation", r"\x{2000}-\x{206F}"),
    ("superscriptsandsubscripts", r"\x{2070}-\x{209F}"),
    ("currencysymbols", r"\x{20A0}-\x{20CF}"),
    ("letterlikesymbols", r"\x{2100}-\x{214F}"),
    ("numberforms", r"\x{2150}-\x{218F}"),
    ("arrows", r"\x{2190}-\x{21FF}"),
    ("mathematicaloperators", r"\x{2200}-\x{22FF}"),
    ("boxdrawing", r"\x{2500}-\x{257F}"),
    ("geometricshapes", r"\x{25A0}-\x{25FF}"),
    ("miscellaneoussymbols", r"\x{2600}-\x{26FF}"),
    ("dingbats", r"\x{2700}-\x{27BF}"),
    ("cjksymbolsandpunctuation", r"\x{3000}-\x{303F}"),
    ("hiragana", r"\x{3040}-\x{309F}"),
    ("katakana", r"\x{30A0}-\x{30FF}"),
    ("bopomofo", r"\x{3100}-\x{312F}"),
    ("cjkunifiedideographs", r"\x{4E00}-\x{9FFF}"),
    ("hangulsyllables", r"\x{AC00}-\x{D7A3}"),
    ("halfwidthandfullwidthforms", r"\x{FF00}-\x{FFEF}"),
    ("emoticons", r"\x{1F600}-\x{1F64F}"),
];

/// Java's prefixes taken off.
fn unicode_name(name: &str) -> String {
    match name.strip_prefix("Is").unwrap_or(name) {
        "javaLetter" => "L".to_owned(),
        "javaLetterOrDigit" => "Alphabetic".to_owned(),
        "javaDigit" => "Nd".to_owned(),
        plain => plain.replace("IsScript=", "sc=").replace("script=", "sc=").replace("general_category=", "gc="),
    }
}
