package sample;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thread that is busy with work of its own for a while, and serves requests later on. */
final class Busy {
    private static final ExecutorService WORKER = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    private Busy() {
    }

    static void start() {
        WORKER.submit(Busy::prepare);
    }

    private static void prepare() {
        long end = System.nanoTime() + 300_000_000L;
        while (System.nanoTime() < end) {
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException exception) {
            Thread.currentThread().interrupt();
        }
    }

    static String serve(String query) {
        Future<String> answer = WORKER.submit(() -> answer(query));
        try {
            return answer.get();
        } catch (InterruptedException | ExecutionException exception) {
            return "failed";
        }
    }

    private static String answer(String query) {
        return "served " + query;
    }
}
