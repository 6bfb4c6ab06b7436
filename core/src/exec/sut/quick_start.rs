//! Has a JVM start quickly: by its quick compiler alone.

/// What every JVM reads.
const JVM_VARIABLE: &str = "JAVA_TOOL_OPTIONS";
/// Bytes of it that every JVM reads.
const MAX_JVM_VARIABLE: usize = 1024;
/// Has a JVM use its quick compiler only; those without that one ignore it.
const QUICK_START: &str = "-XX:TieredStopAtLevel=1";
/// Options of a JVM that say how it compiles.
const COMPILERS: [&str; 4] = ["TieredStopAtLevel", "TieredCompilation", "UseJVMCICompiler", "-Xint"];

/// `value` of [`JVM_VARIABLE`] with what has a JVM compile by its quick compiler only; the same where it, or the service's
/// `command`, says something about compilers, or there is no room.
pub fn compiling_quickly(value: String, command: &str) -> String {
    let is_said = [&value, command].iter().any(|said| COMPILERS.iter().any(|option| said.contains(option)));
    // Early releases of Java 8 read no more.
    let has_room = value.len() + QUICK_START.len() + 1 < MAX_JVM_VARIABLE;
    if is_said || !has_room { value } else { format!("{QUICK_START} {value}") }
}

/// Has the JVM of these variables do so, or no longer; other processes do not read what it is told by.
pub(super) fn favour(env: &mut [(String, String)], is_on: bool) {
    let Some((_, value)) = env.iter_mut().find(|(name, _)| name == JVM_VARIABLE) else { return };
    let was_on = value.strip_prefix(QUICK_START).map(|rest| rest.trim_start().to_owned());
    match was_on {
        Some(rest) if !is_on => *value = rest,
        None if is_on => *value = compiling_quickly(std::mem::take(value), ""),
        _ => {}
    }
}
