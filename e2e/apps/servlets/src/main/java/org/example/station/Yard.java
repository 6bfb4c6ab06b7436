package org.example.station;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Of the servlet that begins when it is called first. */
@RestController
public class Yard {
    @GetMapping("/wagons")
    public String wagons() {
        return "empty";
    }

    @PostMapping("/wagons/coupled")
    public String couple(@RequestParam("wagons") int wagons) {
        if (wagons > 40) {
            throw new IllegalStateException("longer than the yard");
        }
        return wagons + " wagons";
    }
}
