/** The end of the JVM is an exception once an action has begun. Without probes this program would end at once, so it looks whether it has some. */
class Exits {
    static void all() {
        for (int i = 0; i < 3; i++) {
            try {
                if (i == 0) {
                    System.exit(3);
                } else if (i == 1) {
                    Runtime.getRuntime().exit(4);
                } else {
                    Runtime.getRuntime().halt(5);
                }
                throw new IllegalStateException("came back"); //: line=0
            } catch (Error error) {
                if (!error.getMessage().equals("restive: the service tried to end its JVM") || error.getStackTrace().length > 0) {
                    throw error; //: line=0
                }
            }
        }
    }

    static boolean beginsAction() throws ReflectiveOperationException {
        try {
            Class.forName("restive.Probes").getField("atWork").setInt(null, 1);
            return true;
        } catch (ClassNotFoundException exception) {
            return false;
        }
    }

    static void run() throws ReflectiveOperationException {
        if (beginsAction()) {
            all();
        }
        System.out.println("still here"); //: line=1
    }
}
