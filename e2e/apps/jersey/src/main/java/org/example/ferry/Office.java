package org.example.ferry;

import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The harbour as it is. */
public class Office implements Harbour {
    @Override
    public String tide(int hour, String moon) {
        return String.valueOf("full".equals(moon) ? hour % 12 : hour % 6);
    }

    @Override
    public Response sailings(Sailing sailing) {
        if (sailing.day == null || sailing.cars < 1) {
            return Response.status(400).build();
        }
        return Response.ok("[]", "application/json").build();
    }

    @Override
    public Response radio(int channel, String text) {
        return Response.status(channel == 16 ? 202 : 400).build();
    }

    @Override
    public Response log(InputStream entry) throws IOException {
        return Response.status(entry.read() < 0 ? 400 : 202).build();
    }

    @Override
    public Response chart(String chart, List<Position> at) {
        return Response.status(chart.equals("north/deep") ? 204 : 404).build();
    }
}
