package com.example.toll;

import io.micronaut.runtime.Micronaut;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;

/** A toll road. */
@OpenAPIDefinition(info = @Info(title = "Toll road", version = "1"))
public class Application {
    public static void main(String[] args) {
        Micronaut.run(Application.class, args);
    }
}
