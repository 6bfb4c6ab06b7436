package org.example.tracking;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** One row per use of an input, and per thing that happens to it on its way there. */
final class Zoo {
    interface Look {
        /** Whether the hidden side is reached; what it throws counts as not. */
        boolean isSeen(String[] values) throws Exception;
    }

    static final class Row {
        final Place place;
        final Look look;

        Row(Place place, Look look) {
            this.place = place;
            this.look = look;
        }
    }

    private interface TextLook {
        boolean isSeen(String text) throws Exception;
    }

    enum Colour { OCHRE, INDIGO }

    private static final List<String> ANIMALS = Arrays.asList("walrus", "tapir", "okapi");
    private static final Map<String, Integer> AGES = new HashMap<>();
    private static final Set<String> MEMBERS = new HashSet<>();
    private static volatile String stored = "";
    private static volatile String kept = "";

    static final Map<String, Row> ROWS = new LinkedHashMap<>();

    static {
        AGES.put("zebra", 7);
        AGES.put("camel", 9);
        for (int i = 0; i < 10_000; i++) {
            MEMBERS.add("member-" + (i * 7919));
        }
        uses();
        numbers();
        times();
        changes();
        places();
    }

    private Zoo() {
    }

    private static void text(String name, TextLook look) {
        ROWS.put(name, new Row(Place.QUERY, values -> look.isSeen(values[0])));
    }

    private static void at(Place place, String name, Look look) {
        ROWS.put(name, new Row(place, look));
    }

    /** The keys of an open object are gone through. */
    private static void key(String name, TextLook look) {
        ROWS.put(name, new Row(Place.KEYS, keys -> {
            for (String key : keys) {
                if (look.isSeen(key)) {
                    return true;
                }
            }
            return false;
        }));
    }

    private static void uses() {
        text("equals", text -> text.equals("parrot"));
        text("equalsIgnoreCase", text -> text.equalsIgnoreCase("Ostrich"));
        text("startsWith", text -> text.startsWith("lynx"));
        text("endsWith", text -> text.endsWith("hare"));
        text("contains", text -> text.contains("newt"));
        text("matches", text -> text.matches("[a-f]{3}-[0-9]{2}(x|yz)+"));
        text("matchesFlags", text -> Pattern.compile("gib # a bone\n on[0-9]", Pattern.CASE_INSENSITIVE | Pattern.COMMENTS).matcher(text).matches());
        text("find", text -> Pattern.compile("x[0-9]{3}y").matcher(text).find());
        text("uuid", text -> UUID.fromString(text).version() == 4);
        text("uri", text -> new URI(text).getHost() != null);
        text("url", text -> new URL(text).getHost().length() > 2);
        text("base64", text -> text.length() > 7 && Base64.getDecoder().decode(text).length > 5);
        text("enum", text -> Colour.valueOf(text) == Colour.INDIGO);
        text("boolean", text -> Boolean.parseBoolean(text));
        text("switch", text -> {
            switch (text) {
                case "gnu": return false;
                case "capybara": return true;
                default: return false;
            }
        });
        text("mapGet", text -> AGES.get(text) != null);
        text("containsKey", text -> AGES.containsKey(text));
        text("listContains", text -> ANIMALS.contains(text));
        text("setContains", text -> MEMBERS.contains(text));
        text("currency", text -> Currency.getInstance(text).getDefaultFractionDigits() == 2);
        text("regionMatches", text -> text.regionMatches(true, 1, "xVOLEx", 1, 4));
        text("conjunction", text -> text.startsWith("ant-") && text.endsWith("-eater"));
        at(Place.PAIR, "bound", values -> values[0].length() > 3 && values[0].equals(values[1]));
        at(Place.PAIR, "boundParts", values -> values[0].length() > 5 && values[0].equals(values[1]) && values[1].startsWith("emu"));
    }

    private static void numbers() {
        text("parseByte", text -> Byte.parseByte(text) == 77);
        text("parseShort", text -> Short.parseShort(text) == 7_531);
        text("parseInt", text -> Integer.parseInt(text) == 48_271);
        text("parseLong", text -> Long.parseLong(text) == 4_827_112L);
        text("parseFloat", text -> Float.parseFloat(text) > 1_000.5f && text.indexOf('.') > 0);
        text("parseDouble", text -> Double.parseDouble(text) < -20.25);
        text("bigDecimal", text -> new BigDecimal(text).scale() > 0);
        text("bigInteger", text -> new BigInteger(text).bitLength() > 9);
        text("valueOf", text -> Integer.valueOf(text).equals(7_117));
        at(Place.NUMBER, "number", values -> Integer.parseInt(values[0]) == 77_777);
    }

    private static void times() {
        text("localDate", text -> LocalDate.parse(text).getYear() == 2019);
        text("localTime", text -> LocalTime.parse(text).getHour() == 17);
        text("localDateTime", text -> LocalDateTime.parse(text).getMonthValue() == 11);
        text("instant", text -> Instant.parse(text).getEpochSecond() > 0);
        text("zonedDateTime", text -> ZonedDateTime.parse(text).getYear() > 1);
        text("offsetDateTime", text -> OffsetDateTime.parse(text).getYear() > 1);
        text("year", text -> Year.parse(text).isLeap());
        text("yearMonth", text -> YearMonth.parse(text).getMonthValue() == 5);
        text("duration", text -> Duration.parse(text).getSeconds() > 59);
        text("formatter", text -> LocalDate.parse(text, DateTimeFormatter.ofPattern("dd.MM.yyyy")).getYear() > 1);
        text("formatterTime", text -> LocalDateTime.parse(text, DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm")).getYear() > 1);
        text("basicDate", text -> LocalDate.parse(text, DateTimeFormatter.BASIC_ISO_DATE).getYear() > 1);
        text("simpleDate", text -> new SimpleDateFormat("dd-MM-yyyy").parse(text) != null);
        text("simpleDateTime", text -> new SimpleDateFormat("HH:mm:ss dd/MM/yy").parse(text) != null);
    }

    private static void changes() {
        text("trim", text -> text.trim().equals("magpie"));
        text("lowerCase", text -> text.toLowerCase().equals("condor"));
        text("upperCase", text -> text.toUpperCase().equals("PUFFIN"));
        text("split", text -> text.split(",")[1].equals("heron"));
        text("splitBoth", text -> text.split(";")[0].equals("crane") && text.split(";")[1].equals("stork"));
        text("splitPattern", text -> text.split("\\s*\\|\\s*")[1].equals("egret"));
        text("splitLower", text -> text.toLowerCase().split(",")[1].trim().equals("otter"));
        text("concatBefore", text -> ("zoo-" + text).equals("zoo-badger"));
        text("concatAfter", text -> text.concat("/keep").equals("ferret/keep"));
        text("builder", text -> new StringBuilder("<").append(text).append('>').toString().equals("<weasel>"));
        text("substring", text -> text.substring(3).equals("marten"));
        text("substringHead", text -> text.substring(0, 5).equals("stoat"));
        text("substringMiddle", text -> text.substring(2, 7).equals("sable") && text.length() > 8);
        text("keyValue", text -> text.substring(text.indexOf('=') + 1).equals("genet") && text.indexOf('=') > 0);
        text("urlDecoded", text -> URLDecoder.decode(text, "UTF-8").equals("civet/cat 50%"));
        text("urlEncoded", text -> URLEncoder.encode(text, "UTF-8").equals("lion%2Ftiger"));
        text("base64Decoded", text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8).equals("platypus"));
        text("replace", text -> text.replace("-", "").equals("echidna"));
        text("jsonText", text -> ((Map<?, ?>) Json.read(text)).get("kind").equals("wombat"));
        text("numberOfPart", text -> Integer.parseInt(text.split(":")[1]) == 8_080);
        text("dateOfPart", text -> LocalDate.parse(text.split("/")[1]).getYear() > 1);
        text("mapOfPart", text -> AGES.containsKey(text.split("@")[1]));
    }

    private static void places() {
        at(Place.HEADER, "header", values -> values[0].equals("koala"));
        at(Place.COOKIE, "cookie", values -> values[0].equals("numbat"));
        at(Place.PATH, "path", values -> values[0].equals("quokka"));
        at(Place.FIELD, "field", values -> values[0].equals("dingo"));
        at(Place.NESTED, "nested", values -> values[0].equals("bilby"));
        at(Place.MEMBER, "member", values -> {
            for (String value : values) {
                if (value.equals("potoroo")) {
                    return true;
                }
            }
            return false;
        });
        at(Place.ENTRY, "entry", values -> values[0].equals("dunnart"));
        key("keySwitch", key -> {
            switch (key) {
                case "jerboa": return false;
                case "gerbil": return true;
                default: return false;
            }
        });
        key("keyEquals", key -> key.equals("vole"));
        key("keyIgnoreCase", key -> key.equalsIgnoreCase("Lemming"));
        key("keyInSet", key -> new HashSet<>(Arrays.asList("hamster", "degu")).contains(key));
        key("keyInMap", key -> AGES.containsKey(key));
        at(Place.LABELS, "labels", values -> values[0].equals("spinifex"));
        at(Place.DETAILS, "details", values -> values[0].equals("bracken"));
        at(Place.FORM, "form", values -> values[0].equals("bettong"));
        at(Place.QUERY, "store", values -> {
            stored = values[0];
            return false;
        });
        at(Place.QUERY, "stored", values -> values[0].length() > 3 && values[0].equals(stored));
        at(Place.FIELD, "keep", values -> {
            kept = values[0];
            return false;
        });
        at(Place.QUERY, "kept", values -> kept.equals("tahr"));
    }
}
