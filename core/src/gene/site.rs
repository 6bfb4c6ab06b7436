//! Genes of a tree that can be changed by themselves, and how to reach them.

use super::Gene;

/// Position of a gene in its tree: child numbers from the root.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GenePath(pub Vec<u16>);

/// A gene that can be changed by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneSite {
    /// Where it is.
    pub path: GenePath,
    /// Name of the closest field around it, empty at an unnamed root.
    pub name: String,
    /// Identity within the tree that array positions do not change; stable between runs.
    pub key: u64,
    /// How much there is to change below it, 1 for a plain value; grows with the logarithm of the sites it holds.
    pub weight: f64,
    /// JSON pointer of its rendered value.
    pub pointer: String,
}

// FNV-1a, 64 bits (Fowler, Noll, Vo).
const KEY_START: u64 = 0xCBF2_9CE4_8422_2325;
const KEY_PRIME: u64 = 0x0000_0100_0000_01B3;

fn key(above: u64, step: &str) -> u64 {
    // The separator keeps `ab` under `c` from being `a` under `bc`.
    step.bytes().chain([0xFF]).fold(above, |key, byte| (key ^ u64::from(byte)).wrapping_mul(KEY_PRIME))
}

/// A place on the way through the tree.
struct Walk<'a> {
    path: Vec<u16>,
    pointer: String,
    name: &'a str,
    sites: Vec<GeneSite>,
}

impl Gene {
    /// Every gene of the active tree that can be changed by itself, in tree order.
    pub fn sites(&self) -> Vec<GeneSite> {
        let mut walk = Walk { path: Vec::new(), pointer: String::new(), name: "", sites: Vec::new() };
        walk.visit(self, KEY_START);
        walk.sites
    }

    /// The gene at `path`, none when the tree has changed since.
    pub fn at_mut(&mut self, path: &GenePath) -> Option<&mut Self> {
        path.0.iter().try_fold(self, |gene, step| gene.child_mut(usize::from(*step)))
    }

    /// The gene at `path` to look at, none when the tree has changed since.
    pub fn at(&self, path: &GenePath) -> Option<&Self> {
        path.0.iter().try_fold(self, |gene, step| gene.child(usize::from(*step)))
    }

    /// JSON pointers of the fields on the way along `path` that no schema lists.
    pub fn unlisted_on(&self, path: &GenePath) -> Vec<String> {
        let (mut gene, mut pointer, mut unlisted) = (self, String::new(), Vec::new());
        for step in path.0.iter().map(|step| usize::from(*step)) {
            match gene {
                Self::Array(_) => push_token(&mut pointer, &step.to_string()),
                Self::Object(object) => {
                    let Some((_, name, _)) = object.named_parts().nth(step) else { return unlisted };
                    push_token(&mut pointer, name);
                    if step >= object.known_fields() {
                        unlisted.push(pointer.clone());
                    }
                }
                _ => {}
            }
            let Some(child) = gene.child(step) else { return unlisted };
            gene = child;
        }
        unlisted
    }

    fn child(&self, step: usize) -> Option<&Self> {
        match self {
            Self::Array(gene) => gene.members().get(step),
            Self::Object(gene) => gene.parts().nth(step),
            Self::Choice(gene) if step == 0 => Some(gene.active()),
            Self::Optional(gene) if step == 0 => gene.present(),
            Self::Nullable(gene) if step == 0 => gene.value(),
            _ => None,
        }
    }

    fn child_mut(&mut self, step: usize) -> Option<&mut Self> {
        match self {
            Self::Array(gene) => gene.member_mut(step),
            Self::Object(gene) => gene.part_mut(step),
            Self::Choice(gene) if step == 0 => Some(gene.active_mut()),
            Self::Optional(gene) if step == 0 => gene.present_mut(),
            Self::Nullable(gene) if step == 0 => gene.value_mut(),
            _ => None,
        }
    }

    /// Visits every gene of the active tree, a gene before its parts.
    pub(crate) fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Array(gene) => gene.members().iter().for_each(|gene| gene.for_each(visit)),
            Self::Object(gene) => gene.parts().for_each(|gene| gene.for_each(visit)),
            Self::Choice(gene) => gene.active().for_each(visit),
            Self::Optional(gene) => gene.present().into_iter().for_each(|gene| gene.for_each(visit)),
            Self::Nullable(gene) => gene.value().into_iter().for_each(|gene| gene.for_each(visit)),
            _ => {}
        }
    }

    /// Whether changing this very gene can change the value.
    fn is_variable(&self) -> bool {
        match self {
            Self::Never => false,
            Self::Boolean(_) | Self::Number(_) | Self::Nullable(_) => true,
            Self::Integer(gene) => gene.bounds().0 < gene.bounds().1,
            Self::Text(gene) => gene.lengths().1 > 0,
            Self::Enum(gene) => gene.values().len() > 1,
            Self::Array(gene) => gene.is_variable(),
            Self::Object(gene) => gene.is_variable(),
            Self::Choice(gene) => gene.position().1 > 1,
            Self::Optional(gene) => gene.may_be_present(),
        }
    }
}

impl<'a> Walk<'a> {
    fn visit(&mut self, gene: &'a Gene, at: u64) {
        let own = self.sites.len();
        let is_site = gene.is_variable();
        if is_site {
            let (path, name, pointer) = (GenePath(self.path.clone()), self.name.to_owned(), self.pointer.clone());
            self.sites.push(GeneSite { path, name, key: at, weight: 1.0, pointer });
        }
        match gene {
            Gene::Array(array) => {
                for (idx, member) in array.members().iter().enumerate() {
                    self.visit_child(member, idx, Some(&idx.to_string()), key(at, "[]"));
                }
            }
            Gene::Object(object) => {
                for (idx, name, part) in object.named_parts() {
                    let above = std::mem::replace(&mut self.name, name);
                    let step = if object.has_known_name(idx) { name } else { "{}" };
                    self.visit_child(part, idx, Some(name), key(at, step));
                    self.name = above;
                }
            }
            Gene::Choice(choice) => {
                self.visit_child(choice.active(), 0, None, key(at, &format!("|{}", choice.position().0)));
            }
            Gene::Optional(optional) => {
                optional.present().into_iter().for_each(|gene| self.visit_child(gene, 0, None, key(at, "?")));
            }
            Gene::Nullable(nullable) => {
                nullable.value().into_iter().for_each(|gene| self.visit_child(gene, 0, None, key(at, "0")));
            }
            _ => {}
        }
        if is_site {
            let below = self.sites.len() - own - 1;
            self.sites[own].weight += (below as f64).ln_1p();
        }
    }

    fn visit_child(&mut self, gene: &'a Gene, idx: usize, token: Option<&str>, at: u64) {
        let Ok(step) = u16::try_from(idx) else { return };
        let length = self.pointer.len();
        if let Some(token) = token {
            push_token(&mut self.pointer, token);
        }
        self.path.push(step);
        self.visit(gene, at);
        self.path.pop();
        self.pointer.truncate(length);
    }
}

/// Adds a reference token to a JSON pointer (RFC 6901 3).
pub(super) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}
