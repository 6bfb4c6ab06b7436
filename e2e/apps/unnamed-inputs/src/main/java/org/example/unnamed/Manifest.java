package org.example.unnamed;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;

/** What is aboard; of many members at once is demanded what annotations of type arguments say, beside a plain setter. */
public class Manifest {
    private List<@NotNull @Pattern(regexp = "[A-Z]{3}-[0-9]{4}") String> seals;

    @NotNull
    @Size(min = 4)
    public Map<@Pattern(regexp = "hold-[1-9]{2}") String, @NotNull @Min(7100) @Max(7200) Integer> weights;

    @NotNull
    @Size(min = 3)
    public List<@NotNull @Size(min = 2) List<@NotNull @Min(-20) @Max(-10) Integer>> cold;

    @NotNull
    @Size(min = 5)
    public List<String> getSeals() {
        return seals;
    }

    public void setSeals(List<String> seals) {
        this.seals = seals;
    }
}
