package org.example.parcels;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;

/** Depots that take parcels in and send them. */
@SpringBootApplication
@EnableAsync
public class ParcelService {
    public static void main(String[] args) {
        SpringApplication.run(ParcelService.class, args);
    }
}
