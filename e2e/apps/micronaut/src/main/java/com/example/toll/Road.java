package com.example.toll;

import com.example.toll.Trip.Bill;
import com.example.toll.Trip.NewTrip;
import com.example.toll.Trip.NewVehicle;
import com.example.toll.Trip.Vehicle;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All vehicles and all trips. */
@Singleton
class Road {
    private static final Logger LOG = LoggerFactory.getLogger(Road.class);

    private final Map<Integer, Vehicle> vehicles = new ConcurrentHashMap<>();
    private final Map<Integer, Trip> trips = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();

    Vehicle register(NewVehicle wanted) {
        Vehicle vehicle = new Vehicle(last.incrementAndGet(), wanted.plate(), wanted.kind(), wanted.weight(), wanted.axles());
        vehicles.put(vehicle.id(), vehicle);
        return vehicle;
    }

    Optional<Vehicle> vehicle(int id) {
        return Optional.ofNullable(vehicles.get(id));
    }

    Trip drive(NewTrip wanted) {
        Vehicle vehicle = known(wanted.vehicle());
        if (wanted.from() == wanted.to()) {
            throw new HttpStatusException(HttpStatus.CONFLICT, "nobody turns on this road");
        }
        int cents = price(vehicle, Math.abs(wanted.to() - wanted.from()));
        if (wanted.day().getDayOfYear() == 256) {
            // Planted fault: on that day the table of prices was not there.
            throw new IllegalStateException("no prices");
        }
        Trip trip = new Trip(last.incrementAndGet(), vehicle.id(), wanted.from(), wanted.to(), wanted.day(), cents);
        trips.put(trip.id(), trip);
        return trip;
    }

    private static int price(Vehicle vehicle, int gates) {
        return switch (vehicle.kind()) {
            // Planted fault: no axles.
            case TRUCK -> gates * 120 + vehicle.weight() / vehicle.axles();
            // Planted fault: no axles, the same message and another statement.
            case BUS -> gates * 60 + 4_000 / vehicle.axles();
            case CAR -> gates * 45;
            case MOTORCYCLE -> gates * 20;
        };
    }

    Bill bill(int id, String discount) {
        Vehicle vehicle = known(id);
        List<Trip> driven = trips.values().stream().filter(trip -> trip.vehicle() == vehicle.id()).toList();
        int cents = driven.stream().mapToInt(Trip::cents).sum();
        switch (discount) {
            case "none" -> LOG.debug("the whole price");
            case "half" -> cents /= 2;
            case "mean" -> {
                LOG.info("vehicle {} pays for one of {} trips", id, driven.size());
                // Planted fault: no trips.
                cents /= driven.size();
            }
            default -> throw new HttpStatusException(HttpStatus.BAD_REQUEST, "no such discount");
        }
        return new Bill(id, driven.size(), cents);
    }

    private Vehicle known(int id) {
        return vehicle(id).orElseThrow(() -> new HttpStatusException(HttpStatus.NOT_FOUND, "no vehicle " + id));
    }
}
