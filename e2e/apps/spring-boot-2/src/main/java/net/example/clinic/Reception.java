package net.example.clinic;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

/** Who comes when. */
@Service
public class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
    private static final int LAST_CENTURY = 2_000;

    private final Map<Integer, Patient> patients = new ConcurrentHashMap<>();
    private final Map<Integer, Appointment> appointments = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();

    Patient admit(Patient patient) {
        patient.setNumber(last.incrementAndGet());
        patients.put(patient.getNumber(), patient);
        return patient;
    }

    Patient patient(int number) {
        Patient patient = patients.get(number);
        if (patient == null) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no patient " + number);
        }
        return patient;
    }

    Appointment appoint(Appointment wanted) {
        Patient patient = patient(wanted.getPatient());
        int age = wanted.getDay().getYear() - patient.getBornOn().getYear();
        switch (wanted.getWard()) {
            case CHILDREN:
                if (age >= 18) {
                    throw new ResponseStatusException(HttpStatus.CONFLICT, "too old");
                }
                break;
            case SURGERY:
                if (wanted.getMinute() >= 12 * 60) {
                    throw new ResponseStatusException(HttpStatus.CONFLICT, "operations are in the morning");
                }
                break;
            default:
                break;
        }
        if (wanted.getDay().getDayOfWeek() == DayOfWeek.WEDNESDAY && wanted.getMinute() > 13 * 60) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "closed on Wednesdays");
        }
        if (wanted.getMinute() == 1_111) {
            // Planted fault: one minute of the day.
            throw new IllegalStateException("the clock strikes");
        }
        wanted.setNumber(last.incrementAndGet());
        appointments.put(wanted.getNumber(), wanted);
        return wanted;
    }

    /** The next appointment of a patient from a day on; planted faults: there is none, in two statements. */
    Appointment next(int number, LocalDate from) {
        Patient patient = patient(number);
        List<Appointment> later = new ArrayList<>();
        for (Appointment appointment : appointments.values()) {
            if (appointment.getPatient() == patient.getNumber() && !appointment.getDay().isBefore(from)) {
                later.add(appointment);
            }
        }
        if (from.getYear() > LAST_CENTURY) {
            return later.get(0); // this century
        }
        LOG.info("patient {} asks for the last century", number);
        return later.get(0); // the last century
    }

    /** What a treatment is called. */
    String treatment(String code) {
        switch (code) {
            case "A10":
                return "check";
            case "B20":
                return "filling";
            case "C31":
                // Planted fault: the name was never written.
                return code.substring(4);
            default:
                throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no treatment " + code);
        }
    }

    /** Closes wards; planted fault: level 112 closes the whole service. */
    int close(int level) {
        if (level == 112) {
            LOG.error("everything is closed");
            System.exit(1);
        }
        return Math.max(0, Math.min(level, 3));
    }
}
