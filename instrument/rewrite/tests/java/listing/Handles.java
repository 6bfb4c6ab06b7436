import java.io.Serializable;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** References to methods: of which kinds there are methods, and which stay. */
interface Handles {
    static Function<String, Boolean> unbound() {
        return String::isEmpty;
    }

    static Predicate<String> bound(List<String> list) {
        return list::contains;
    }

    static Function<String, BigDecimal> constructor() {
        return BigDecimal::new;
    }

    static Predicate<String> serializable(String text) {
        return (Predicate<String> & Serializable) text::equals;
    }
}
