/** References, null, and objects that are not initialised yet. */
class References {
    final String name;

    References(String name) {
        this(name, name == null ? "none" : name); //: then=1; else=0.5
    }

    References(String name, String other) {
        super();
        this.name = name == null ? other : name; //: then=1; else=0.5
    }

    static void compare(Object one, Object other) {
        if (one == other) { //: then=0.5; else=1
            throw new IllegalStateException();
        }
        if (one != null) { //: then=1; else=0.5
            System.out.println("not null");
        }
        if (other instanceof String) { //: then=0.5; else=1
            throw new IllegalStateException();
        }
    }

    /** `new` lies on the stack while jumps are measured. */
    static String nested(boolean first, int n) {
        return new StringBuilder(new String(first ? "a" : n > 3 ? "b" : "c")).append(n == 4 ? "d" : "e").toString(); //: 0:else=1; 1:then=1
    }

    static void run() {
        System.out.println(new References(null).name);
        compare(1, 'x');
        System.out.println(nested(false, 4));
        System.out.println(new Inner(5).value);
    }

    /** An inner class reads its parameter before it calls the constructor above it. */
    static class Inner extends Exception {
        final int value;

        Inner(int value) {
            super(value > 3 ? "large" : "small");
            this.value = value;
        }
    }
}
