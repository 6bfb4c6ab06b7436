package restive;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The texts that a test hands over, in order. */
public final class Record {

    static final List<String> TEXTS = new ArrayList<>();

    private Record() {}

    public static void add(String text) {
        add(text.getBytes(StandardCharsets.UTF_8));
    }

    static void add(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (byte value : bytes) {
            hex.append(Character.forDigit((value >> 4) & 15, 16)).append(Character.forDigit(value & 15, 16));
        }
        TEXTS.add(hex.toString());
    }
}
