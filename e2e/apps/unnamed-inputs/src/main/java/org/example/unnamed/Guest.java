package org.example.unnamed;

import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Past;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.Date;

/** Who comes aboard; all of this is demanded, by a validator that is called by hand. */
public class Guest {
    @NotNull
    @Pattern(regexp = "[A-Z]{3}-[0-9]{4}")
    public String ticket;

    @NotNull
    @Size(min = 4, max = 9)
    public String name;

    @NotNull
    @Email
    public String mail;

    @Min(18)
    @Max(99)
    public int age;

    @Positive
    public long luggage;

    @NotNull
    @DecimalMin("12.5")
    @Digits(integer = 4, fraction = 2)
    public BigDecimal paid;

    @NotNull
    @Past
    public Date born;
}
