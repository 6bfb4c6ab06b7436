import java.math.BigDecimal;
import java.net.URI;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/** Calls of library methods: how far each was from its other outcome, and that they do what they do without probes. */
class Replacements {
    enum Colour { RED, GREEN }

    static void texts(String text, String empty) { // "fop", ""
        print(text.equals("foo")); //: replace String.equals:true=0.5; replace String.equals:false=1
        print(text.equals(null)); //: replace String.equals:true=2.9387e-39
        print(text.equalsIgnoreCase("FOO")); //: replace String.equalsIgnoreCase:true=0.5
        print(text.startsWith("fo")); //: replace String.startsWith:true=1; replace String.startsWith:false=2.9387e-39
        print(text.startsWith("q", 2)); //: replace String.startsWith:true=0.5
        print(text.endsWith("q")); //: replace String.endsWith:true=0.5
        print(text.contains("q")); //: replace String.contains:true=0.5
        print(text.isEmpty()); //: replace String.isEmpty:true=0.25
        print(empty.isEmpty()); //: replace String.isEmpty:true=1
        print(text.regionMatches(true, 2, "xQ", 1, 1)); //: replace String.regionMatches:true=0.5
        print(text.indexOf("q")); //: replace String.indexOf:true=0.5
        print(text.compareTo("fop")); //: replace String.compareTo:true=1
        print(Character.isDigit(text.charAt(0))); //: replace Character.isDigit:true=0.0217391
        print(Boolean.parseBoolean("trux")); //: replace Boolean.parseBoolean:true=0.05
        print(Boolean.valueOf("TRUE")); //: replace Boolean.valueOf:true=1
        if (text.compareTo("fot") < 0) { //: then=1; else=0.2
            nop();
        }
    }

    static void often() { // nearer 200 times; 200 times as near, then nearer, which is not measured any more, and then there
        for (int i = 0; i < 200; i++) {
            if (String.valueOf((char) ('z' + 200 - i)).equals("a")) { //: replace String.equals:true=0.037037; then=0.037037
                nop();
            }
        }
        for (int i = 0; i < 202; i++) {
            if ((i < 201 ? "fzz" : "fop").equals("foo")) { //: replace String.equals:true=0.0434783; 1:then=0.0434783; 1:else=1
                nop();
            }
        }
        for (int i = 0; i < 202; i++) {
            if ((i < 201 ? "fzz" : "foo").equals("foo")) { //: replace String.equals:true=1; 1:then=1; 1:else=1
                nop();
            }
        }
    }

    static void objects(Object five, Object text) { // 5, "a"
        print(five.equals(7)); //: replace Object.equals:true=0.333333
        print(Objects.equals(text, "c")); //: replace Objects.equals:true=0.333333
        print(Integer.valueOf(5).equals(7)); //: replace Integer.equals:true=0.333333
        print(Integer.valueOf(5).compareTo(7)); //: replace Integer.compareTo:true=0.333333
        print(new BigDecimal("1.5").compareTo(new BigDecimal("2.5"))); //: replace BigDecimal.compareTo:true=0.5
        print(LocalDate.of(2019, 1, 1).isBefore(LocalDate.of(2019, 1, 3))); //: replace LocalDate.isBefore:false=0.333333
        print(new Date(1000).after(new Date(1002))); //: replace Date.after:true=0.25
    }

    static void collections(List<String> list, Map<String, Integer> map) { // [a, e], {k=1}
        print(list.contains("c")); //: replace List.contains:true=0.333333
        print(((Collection<String>) list).isEmpty()); //: replace Collection.isEmpty:true=0.333333
        print(list.containsAll(Arrays.asList("a", "e"))); //: replace List.containsAll:true=1
        print(list.indexOf("b")); //: replace List.indexOf:true=0.5
        print(map.containsKey("l")); //: replace Map.containsKey:true=0.5
        print(map.get("m")); //: replace Map.get:true=0.333333
        print(map.getOrDefault("k", 0)); //: replace Map.getOrDefault:true=1
        print(list.remove("b")); //: replace List.remove:true=0.5
    }

    /** 200 times "zzzz", "l"; "k" after it: what was far for so long is measured no more; covered it still is. */
    static void often(Map<String, Integer> map) { // {"k": 1}
        int sum = 0;
        for (int i = 0; i < 201; i++) {
            sum += map.getOrDefault(i < 200 ? "zzzz" : "l", 0); //: replace Map.getOrDefault:true=5.0857e-6; replace Map.getOrDefault:false=1
        }
        for (int i = 0; i < 201; i++) {
            sum += map.getOrDefault(i < 200 ? "zzzz" : "k", 0); //: replace Map.getOrDefault:true=1; replace Map.getOrDefault:false=1
        }
        print(sum);
    }

    static void patterns(String text) { // "abd"
        print(text.matches("abc")); //: replace String.matches:true=0.5
        print(Pattern.matches("[a-b]+", "abd")); //: replace Pattern.matches:true=0.333333
        print(Pattern.compile("x").matcher("aw").find()); //: replace Matcher.find:false=1
    }

    static void parsers() {
        print(fails(() -> Integer.parseInt("4x"))); //: returns Integer.parseInt=0.015625; throws Integer.parseInt=1
        print(Integer.parseInt("42")); //: returns Integer.parseInt=1
        print(fails(() -> LocalDate.parse("2019-1x-10"))); //: returns LocalDate.parse=0.015625
        print(fails(() -> LocalDate.parse("2019/10x10", DateTimeFormatter.ofPattern("yyyy/MM/dd")))); //: throws LocalDate.parse=1
        print(fails(() -> new BigDecimal("1x"))); //: throws BigDecimal.<init>=1
        print(fails(() -> LocalDate.of(2019, 14, 1))); //: returns LocalDate.of=0.333333
        print(fails(() -> Colour.valueOf("GREEO"))); //: throws Replacements$Colour.valueOf=1
        print(fails(() -> UUID.fromString("no"))); //: throws UUID.fromString=1
        print(fails(() -> URI.create("a b"))); //: throws URI.create=1
        print(fails(() -> Base64.getDecoder().decode("a*"))); //: throws Base64$Decoder.decode=1
        print(fails(() -> new ArrayList<>(Arrays.asList(1)).get(3))); //: returns ArrayList.get=0.25
    }

    static String fails(Runnable runnable) {
        try {
            runnable.run();
            return "no exception";
        } catch (RuntimeException exception) {
            return exception.toString();
        }
    }

    static void nothing(String text, List<String> list) { // null, null: fail as they did
        print(fails(() -> text.equals("a"))); //: throws String.equals=1
        print(fails(() -> list.contains("a"))); //: throws List.contains=1
        print(fails(() -> "a".contains(null))); //: throws String.contains=1
    }

    private static void print(Object value) {
        System.out.println(value);
    }

    private static void nop() {
    }

    public static void run() {
        texts("fop", "");
        often();
        objects(5, "a");
        Map<String, Integer> map = new HashMap<>();
        map.put("k", 1);
        collections(new ArrayList<>(Arrays.asList("a", "e")), map);
        often(map);
        patterns("abd");
        parsers();
        nothing(null, null);
    }
}
