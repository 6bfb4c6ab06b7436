package org.example.station;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Of the servlet that begins with the server. */
@RestController
public class Hall {
    @GetMapping("/departures")
    public String departures(@RequestParam(name = "to", required = false) String to) {
        return to == null ? "all" : "those to " + to;
    }

    @GetMapping("/clocks/{number}")
    public String clock(@PathVariable("number") int number) {
        return "noon";
    }
}
