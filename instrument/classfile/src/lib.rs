//! Reads, patches and prints JVM class files.
