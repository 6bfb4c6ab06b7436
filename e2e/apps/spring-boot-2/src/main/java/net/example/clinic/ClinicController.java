package net.example.clinic;

import java.time.LocalDate;
import java.util.Collections;
import java.util.Map;
import javax.validation.Valid;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The desk of the clinic. */
@RestController
public class ClinicController {
    private final Reception reception;

    public ClinicController(Reception reception) {
        this.reception = reception;
    }

    @PostMapping("/patients")
    @ResponseStatus(HttpStatus.CREATED)
    public Patient admit(@Valid @RequestBody Patient patient) {
        return reception.admit(patient);
    }

    @GetMapping("/patients/{number}")
    public Patient patient(@PathVariable int number) {
        return reception.patient(number);
    }

    @GetMapping("/patients/{number}/next-appointment")
    public Appointment next(@PathVariable int number,
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate from) {
        return reception.next(number, from);
    }

    @PostMapping("/appointments")
    @ResponseStatus(HttpStatus.CREATED)
    public Appointment appoint(@Valid @RequestBody Appointment wanted) {
        return reception.appoint(wanted);
    }

    @GetMapping("/treatments/{code}")
    public Map<String, String> treatment(@PathVariable String code) {
        return Collections.singletonMap("name", reception.treatment(code));
    }

    @PutMapping("/closing/{level}")
    public Map<String, Integer> close(@PathVariable int level) {
        return Collections.singletonMap("closed", reception.close(level));
    }
}
