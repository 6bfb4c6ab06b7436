// All tests in one process, one after the other: they share the service.
import "./tests/faults.js";
import "./tests/other.js";
import "./tests/successes.js";
