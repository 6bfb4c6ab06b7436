package net.example.clinic;

import java.time.LocalDate;
import javax.validation.constraints.Max;
import javax.validation.constraints.Min;
import javax.validation.constraints.NotNull;

/** When somebody is treated, and by whom. */
public class Appointment {
    /** Who treats. */
    public enum Ward { DENTIST, SURGERY, CHILDREN, EYES }

    private int number;
    private int patient;

    @NotNull
    private Ward ward;

    @NotNull
    private LocalDate day;

    @Min(0)
    @Max(1_439)
    private int minute;

    public int getNumber() {
        return number;
    }

    public void setNumber(int number) {
        this.number = number;
    }

    public int getPatient() {
        return patient;
    }

    public void setPatient(int patient) {
        this.patient = patient;
    }

    public Ward getWard() {
        return ward;
    }

    public void setWard(Ward ward) {
        this.ward = ward;
    }

    public LocalDate getDay() {
        return day;
    }

    public void setDay(LocalDate day) {
        this.day = day;
    }

    /** Minute of the day. */
    public int getMinute() {
        return minute;
    }

    public void setMinute(int minute) {
        this.minute = minute;
    }
}
