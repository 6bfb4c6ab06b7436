//! Puts probes into JVM class files.
