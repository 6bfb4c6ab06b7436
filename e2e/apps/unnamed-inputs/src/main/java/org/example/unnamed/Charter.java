package org.example.unnamed;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;

/** A bean that Spring fills, with one and a list of others in it. */
public class Charter {
    @Min(7100)
    @Max(7110)
    private int berth;

    @Valid
    @NotNull
    private Crew crew;

    @Valid
    @Size(min = 2)
    private final List<Crew> guests = new ArrayList<>();

    public int getBerth() {
        return berth;
    }

    public void setBerth(int berth) {
        this.berth = berth;
    }

    public Crew getCrew() {
        return crew;
    }

    public void setCrew(Crew crew) {
        this.crew = crew;
    }

    public List<Crew> getGuests() {
        return guests;
    }

    /** Somebody aboard. */
    public static class Crew {
        @NotNull
        @Pattern(regexp = "[A-Z]{2}[0-9]{4}")
        private String pass;

        public String getPass() {
            return pass;
        }

        public void setPass(String pass) {
            this.pass = pass;
        }
    }
}
