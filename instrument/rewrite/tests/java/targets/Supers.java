import java.util.ArrayList;

/** Calls of what a superclass of the library does, and of the service's own override of it. */
class Supers extends ArrayList<String> {
    @Override
    public boolean contains(Object value) {
        return super.contains(value); //: replace ArrayList.contains:true=2.9387e-39; replace ArrayList.contains:false=1
    }

    public static void run() {
        Supers supers = new Supers();
        supers.add("w");
        System.out.println(supers.contains("x")); //: replace Supers.contains:true=2.9387e-39; replace Supers.contains:false=1
    }
}
