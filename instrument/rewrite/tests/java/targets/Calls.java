import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Calls that return and calls that do not, in every kind of method. */
class Calls {
    static int handled(String text) {
        try {
            return Integer.parseInt(text); //: returns Integer.parseInt=0.015625; throws Integer.parseInt=1
        } catch (NumberFormatException exception) {
            return exception.getMessage().length(); //: 0:returns NumberFormatException.getMessage=1; 0:throws NumberFormatException.getMessage=0.5
        } finally {
            nop(); //: line=1
        }
    }

    static void passed(Object object) {
        Objects.requireNonNull(object, "wanted"); //: returns Objects.requireNonNull=0.5; throws Objects.requireNonNull=1
        nop(); //: line=0
    }

    static int nested(List<Integer> list) {
        return Math.max(list.get(0), list.get(1)); //: 0:returns List.get=1; 1:returns Integer.intValue=1; 2:returns List.get=0.5; 2:throws List.get=1; 4:returns Math.max=0
    }

    static synchronized long recursive(long n) {
        return n == 0 ? 0 : 1 + recursive(n - 1); //: returns Calls.recursive=1; throws Calls.recursive=0.5
    }

    static boolean lambda(List<String> list) {
        return list.stream().anyMatch(text -> text.length() == 3); //: 0:returns List.stream=1
    }

    static void nop() {
    }

    static void run() {
        System.out.println(handled("x1"));
        try {
            passed(null);
        } catch (NullPointerException exception) {
            System.out.println(exception.getMessage());
        }
        List<Integer> list = new ArrayList<>();
        list.add(1);
        try {
            nested(list);
        } catch (IndexOutOfBoundsException exception) {
            System.out.println(exception.getMessage());
        }
        System.out.println(recursive(1000));
        System.out.println(lambda(List.of("one")));
    }
}
