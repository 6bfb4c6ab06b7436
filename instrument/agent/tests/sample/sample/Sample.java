package sample;

import server.Http;
import server.Sockets;
import server.Words;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service without a framework; the comments are names for what the test expects of a line. */
public final class Sample {
    private Sample() {
    }

    public static void main(String[] arguments) throws Exception {
        int port;
        try {
            port = Http.start(Sample::respond);
        } catch (NoClassDefFoundError reduced) {
            port = Sockets.start(Sample::respond);
        }
        System.out.println("port " + port); // boot
        if (arguments.length > 0) {
            Words.learn();
            System.out.println("all is known"); // late
        }
    }

    private static String respond(String uri) {
        int query = uri.indexOf('?');
        try {
            return answer(uri.substring(0, query), uri.substring(query + 1));
        } catch (Error stopped) {
            return "stopped: " + stopped.getMessage();
        }
    }

    private static String answer(String path, String query) {
        switch (path) { // switch
            case "/number":
                return number(Integer.parseInt(query));
            case "/rounds":
                return rounds(Integer.parseInt(query));
            case "/word":
                return word(query);
            case "/time":
                return Words.isTime(query) ? "a time" : "no time";
            case "/exit":
                System.exit(3); // exit
                return "not reached";
            case "/loop":
                return loop();
            case "/throw":
                throw Odd.of(query); // throw
            case "/caught":
                return caught(query);
            case "/wrapped":
                return wrapped(query);
            case "/borrowed":
                throw borrowed(query);
            case "/tick":
                Ticker.start();
                return "ticking";
            case "/ticks":
                return "ticks " + Ticker.ticks();
            case "/poll":
                Poller.start(Integer.parseInt(query));
                return "polling";
            case "/schedule":
                Poller.schedule(Integer.parseInt(query));
                return "scheduled";
            case "/busy":
                Busy.start();
                return "busy";
            case "/serve":
                return Busy.serve(query);
            case "/slow":
                return slow();
            case "/pool":
                return pool();
            case "/hide":
                return Hider.hide();
            case "/asked":
                return "asked " + Odd.asked();
            default:
                return "nothing";
        }
    }

    private static String number(int x) {
        if (x == 42) { // jump
            return "found";
        }
        return "no"; // no
    }

    private static String rounds(int x) {
        int found = 0;
        for (int round = 0; round < 300; round++) {
            if (isWanted(round < 299 ? x : x + 1)) { // flag
                found++;
            }
        }
        return "found " + found;
    }

    private static boolean isWanted(int x) {
        return x == 1000;
    }

    private static String word(String word) {
        return "hello " + word;
    }

    private static String caught(String text) {
        try {
            return "number " + Integer.parseInt(text); // parse
        } catch (NumberFormatException exception) {
            return "no number";
        }
    }

    private static String wrapped(String text) {
        try {
            return "length " + (text.isEmpty() ? null : text).length(); // null
        } catch (NullPointerException exception) {
            throw new IllegalStateException("no text", exception); // wrap
        } finally {
            Odd.asked(); // finally
        }
    }

    /** An exception that is always made here, and may have the stack of another one. */
    private static RuntimeException borrowed(String whose) {
        RuntimeException exception = new IllegalStateException(whose);
        if (whose.equals("asked")) {
            exception.getStackTrace();
        } else if (whose.equals("other")) {
            exception.setStackTrace(new StackTraceElement[] {new StackTraceElement("other.Place", "run", "Place.java", 1)});
        } else if (whose.equals("none")) {
            exception.setStackTrace(new StackTraceElement[0]);
        }
        return exception;
    }

    private static String slow() {
        String text = Ticker.untilNext();
        return text; // slow
    }

    private static String pool() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            return pool.submit(() -> loop()).get(); // pooled
        } catch (InterruptedException | ExecutionException exception) {
            return "pool: " + exception.getCause().getMessage();
        } finally {
            pool.shutdown();
        }
    }

    private static String loop() {
        System.out.println("looping");
        long sum = 0;
        for (long round = 0; round < Long.MAX_VALUE; round++) { // loop
            sum += round % 7;
        }
        return "sum " + sum;
    }
}
