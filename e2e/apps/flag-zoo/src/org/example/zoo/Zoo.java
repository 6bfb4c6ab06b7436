package org.example.zoo;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** One small method per kind of library call, each with a side that hardly any input reaches. */
final class Zoo {
    private static final List<String> ANIMALS = Arrays.asList("walrus", "tapir", "okapi");
    private static final Map<String, Integer> AGES = new HashMap<>();

    static {
        AGES.put("zebra", 7);
        AGES.put("camel", 9);
    }

    private static final String[] SIZES = {"small", "large"};

    enum Colour { OCHRE, INDIGO }

    /** What takes a text and tells whether its hidden side was reached. */
    static final Map<String, Predicate<String>> TEXTS = new LinkedHashMap<>();

    /** What takes a number. */
    static final Map<String, Predicate<Integer>> NUMBERS = new LinkedHashMap<>();

    static {
        TEXTS.put("equals", text -> {
            if (text.equals("parrot")) {
                return true;
            }
            return false;
        });
        TEXTS.put("equalsIgnoreCase", text -> text.equalsIgnoreCase("Ostrich"));
        TEXTS.put("contentEquals", text -> text.contentEquals(new StringBuilder("gecko")));
        TEXTS.put("startsWith", text -> text.startsWith("lynx"));
        TEXTS.put("endsWith", text -> text.endsWith("hare"));
        TEXTS.put("contains", text -> text.contains("newt"));
        TEXTS.put("isEmpty", text -> text.replaceAll("[a-zA-Z0-9]", "").isEmpty() && text.length() > 12);
        TEXTS.put("indexOf", text -> text.indexOf("moth") >= 0);
        TEXTS.put("compareTo", text -> text.compareTo("quail") == 0);
        TEXTS.put("regionMatches", text -> text.regionMatches(true, 1, "xVOLEx", 1, 4));
        TEXTS.put("parseBoolean", text -> Boolean.parseBoolean(text));
        TEXTS.put("matches", text -> text.matches("[a-f]{3}-[0-9]{2}"));
        TEXTS.put("find", text -> Pattern.compile("x[0-9]y").matcher(text).find());
        TEXTS.put("parseInt", text -> parses(() -> Integer.parseInt(text)) && text.length() > 3);
        TEXTS.put("parseDouble", text -> parses(() -> Double.parseDouble(text)) && text.indexOf('.') > 0);
        TEXTS.put("bigDecimal", text -> parses(() -> new BigDecimal(text)) && text.length() > 2);
        TEXTS.put("localDate", text -> parses(() -> LocalDate.parse(text)));
        TEXTS.put("localTime", text -> parses(() -> LocalTime.parse(text)));
        TEXTS.put("formatter", text -> parses(() -> LocalDate.parse(text, DateTimeFormatter.ofPattern("dd.MM.yyyy"))));
        TEXTS.put("uuid", text -> parses(() -> UUID.fromString(text)));
        TEXTS.put("enumValueOf", text -> parses(() -> Colour.valueOf(text)));
        TEXTS.put("listContains", text -> ANIMALS.contains(text));
        TEXTS.put("setContains", text -> new TreeSet<>(ANIMALS).contains(text));
        TEXTS.put("containsKey", text -> AGES.containsKey(text));
        TEXTS.put("mapGet", text -> AGES.get(text) != null);
        TEXTS.put("objectsEquals", text -> Objects.equals(text, "heron"));
        TEXTS.put("methodReference", text -> ANIMALS.stream().anyMatch(text::equals));
        TEXTS.put("isDigit", text -> text.length() == 2 && Character.isDigit(text.charAt(0)) && Character.isDigit(text.charAt(1)));
        TEXTS.put("ownEquals", text -> new Name(text).equals(new Name("bison")));
        TEXTS.put("nested", text -> isShrew(text));
        TEXTS.put("negated", text -> !isOther(text));
        TEXTS.put("lambda", text -> ANIMALS.stream().map(String::length).anyMatch(length -> length == text.length() - 20));
        NUMBERS.put("integerEquals", number -> number.equals(48_271));
        NUMBERS.put("flag", number -> isLucky(number));
        NUMBERS.put("conjunction", number -> isLarge(number) && number % 1000 == 7);
        NUMBERS.put("disjunction", number -> isLucky(number) || number == -33_333);
        NUMBERS.put("allMatch", number -> IntStream.of(3, 5, 9).allMatch(divisor -> number / divisor > 100_000));
        NUMBERS.put("noneMatch", number -> IntStream.of(-7, 7, 9).noneMatch(other -> number - other < 2_000_000));
        NUMBERS.put("isBefore", number -> LocalDate.ofEpochDay(number % 1_000_000).isEqual(LocalDate.of(2019, 10, 14)));
        NUMBERS.put("listGet", number -> parses(() -> ANIMALS.get(number - 5_000)));
        NUMBERS.put("arrayIndex", number -> parses(() -> SIZES[number + 70_000].hashCode()));
    }

    private Zoo() {
    }

    private static boolean parses(Runnable parser) {
        try {
            parser.run();
            return true;
        } catch (RuntimeException exception) {
            return false;
        }
    }

    private static boolean isShrew(String text) {
        return isLong(text) && text.equals("shrews");
    }

    private static boolean isLong(String text) {
        return text.length() == 6;
    }

    private static boolean isOther(String text) {
        if (text.length() != 4) {
            return true;
        }
        return !text.endsWith("ibis");
    }

    private static boolean isLucky(int number) {
        return number == 77_777;
    }

    private static boolean isLarge(int number) {
        return number > 1_000_000;
    }

    /** A value with an {@code equals} of its own. */
    static final class Name {
        private final String text;

        Name(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Name && ((Name) other).text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }
}
