package com.example.toll;

import com.example.toll.Trip.Bill;
import com.example.toll.Trip.NewTrip;
import com.example.toll.Trip.NewVehicle;
import com.example.toll.Trip.Vehicle;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.validation.Valid;
import java.util.Optional;

/** The office of the road; bills are reckoned on other threads than the event loop's. */
@Controller
class TollController {
    private final Road road;

    TollController(Road road) {
        this.road = road;
    }

    @Post("/vehicles")
    @Status(HttpStatus.CREATED)
    Vehicle register(@Valid @Body NewVehicle wanted) {
        return road.register(wanted);
    }

    @Get("/vehicles/{id}")
    Optional<Vehicle> vehicle(int id) {
        return road.vehicle(id);
    }

    @Post("/trips")
    @Status(HttpStatus.CREATED)
    Trip drive(@Valid @Body NewTrip wanted) {
        return road.drive(wanted);
    }

    @Get("/vehicles/{id}/bill")
    @ExecuteOn(TaskExecutors.BLOCKING)
    Bill bill(int id, @QueryValue(defaultValue = "none") String discount) {
        return road.bill(id, discount);
    }

    @Get("/cameras")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int picture(@QueryValue int gate, @QueryValue int metre) {
        return Cameras.picture(gate, metre);
    }

    @Get("/fines")
    int fine(@QueryValue int speed, @QueryValue int limit) {
        return Fines.of(speed, limit);
    }
}
