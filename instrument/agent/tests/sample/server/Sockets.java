package server;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Function;

/** As much of an HTTP server as the test needs, for runtimes without the JDK's. */
public final class Sockets {
    private Sockets() {
    }

    /** Starts it; gives its port. */
    public static int start(Function<String, String> answers) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        new Thread(() -> {
            while (true) {
                try (Socket call = server.accept()) {
                    BufferedReader request = new BufferedReader(new InputStreamReader(call.getInputStream()));
                    String uri = request.readLine().split(" ")[1];
                    while (!request.readLine().isEmpty()) {
                        // Fields of the head.
                    }
                    byte[] answer = answers.apply(uri).getBytes();
                    String head = "HTTP/1.1 200 OK\r\ncontent-length: " + answer.length + "\r\n\r\n";
                    call.getOutputStream().write(head.getBytes());
                    call.getOutputStream().write(answer);
                } catch (Exception gone) {
                    // The next one calls.
                }
            }
        }).start();
        return server.getLocalPort();
    }
}
