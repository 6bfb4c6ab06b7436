//! Classes that serve HTTP, told by their annotations.

use std::collections::BTreeMap;
use std::path::Path;

use super::archive::Archive;
use super::constants;
use super::packages::{class_of, package_of, project};
use super::references::MOST_CLASS_BYTES;

/// Annotations of what is called, as descriptors.
const ANNOTATIONS: [&str; 7] = [
    "Ljavax/ws/rs/Path;",
    "Ljakarta/ws/rs/Path;",
    "Lorg/springframework/web/bind/annotation/RestController;",
    "Lorg/springframework/web/bind/annotation/RequestMapping;",
    "Lio/micronaut/http/annotation/Controller;",
    "Ljavax/servlet/annotation/WebServlet;",
    "Ljakarta/servlet/annotation/WebServlet;",
];

/// The project that most of such classes in these jars belong to; none where no class has such an annotation.
pub(super) fn project_of_most<'a>(jars: impl Iterator<Item = &'a Path>) -> Option<String> {
    let mut projects: BTreeMap<String, usize> = BTreeMap::new();
    for mut jar in jars.filter_map(|jar| Archive::open(jar).ok()) {
        for name in jar.names().to_vec() {
            let Some(class) = class_of(&name, "") else { continue };
            let owner = project(&package_of(class).replace('/', ".")).to_owned();
            let is_endpoint = |bytes: Vec<u8>| constants::has_text(&bytes, &ANNOTATIONS);
            if jar.read(&name, MOST_CLASS_BYTES).is_some_and(is_endpoint) {
                *projects.entry(owner).or_default() += 1;
            }
        }
    }
    projects.into_iter().max_by_key(|(_, classes)| *classes).map(|(owner, _)| owner)
}
