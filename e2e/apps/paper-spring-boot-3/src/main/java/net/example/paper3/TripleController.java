package net.example.paper3;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Three texts, of which the framework checks one by a pattern and the code parses two and looks for the third in a list. */
@RestController
public class TripleController {
    private static final List<String> SETTINGS = Arrays.asList("Foo", "Bar");

    @GetMapping(path = "/triples/{date:\\d{4}-\\d{1,2}-\\d{1,2}}/{number}/{setting}", produces = MediaType.TEXT_PLAIN_VALUE)
    public String triple(
            @PathVariable("date") String date,
            @PathVariable("number") String number,
            @PathVariable("setting") String setting) {
        LocalDate day = LocalDate.parse(date);
        int count = Integer.parseInt(number);
        if (day.getYear() == 2019 && count == 42 && SETTINGS.contains(setting)) {
            return "OK";
        }
        return "ERROR";
    }
}
