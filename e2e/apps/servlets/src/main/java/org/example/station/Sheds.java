package org.example.station;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Sheds of a depot, by the letter and number of a track or by the number of an engine. */
@RestController
public class Sheds {
    @GetMapping("/{track:[A-F]-\\d{1,2}}")
    public ResponseEntity<String> track(@PathVariable("track") String track) {
        return track.startsWith("F-") ? ResponseEntity.ok("closed") : ResponseEntity.ok("open");
    }

    @GetMapping("/{engine:\\d+}")
    public ResponseEntity<String> engine(@PathVariable("engine") int engine) {
        return ResponseEntity.ok(engine % 2 == 0 ? "steam" : "diesel");
    }
}
