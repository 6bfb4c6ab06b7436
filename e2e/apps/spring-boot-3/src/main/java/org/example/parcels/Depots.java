package org.example.parcels;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.example.parcels.Parcel.Depot;
import org.example.parcels.Parcel.NewDepot;
import org.example.parcels.Parcel.NewParcel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** All depots and all parcels. */
@Service
class Depots {
    private static final Logger LOG = LoggerFactory.getLogger(Depots.class);

    private final Map<Integer, Depot> depots = new ConcurrentSkipListMap<>();
    private final Map<Integer, Parcel> parcels = new ConcurrentSkipListMap<>();
    private final AtomicInteger last = new AtomicInteger();

    Depot open(NewDepot wanted) {
        Depot depot = new Depot(last.incrementAndGet(), wanted.name(), wanted.capacity());
        depots.put(depot.id(), depot);
        return depot;
    }

    Depot depot(int id) {
        Depot depot = depots.get(id);
        if (depot == null) {
            throw new Refusal.Missing("no depot " + id);
        }
        return depot;
    }

    Parcel parcel(int id) {
        Parcel parcel = parcels.get(id);
        if (parcel == null) {
            throw new Refusal.Missing("no parcel " + id);
        }
        return parcel;
    }

    Parcel take(NewParcel wanted) {
        Depot depot = depot(wanted.depotId());
        int stored = parcels.values().stream().filter(it -> it.depotId() == depot.id()).mapToInt(Parcel::grams).sum();
        if (stored + wanted.grams() > depot.capacity()) {
            throw new Refusal.Conflict("depot " + depot.id() + " is full");
        }
        if (wanted.sendOn().getDayOfWeek() == DayOfWeek.SUNDAY) {
            throw new Refusal.Conflict("nothing is sent on Sundays");
        }
        LocalDate keptUntil = keptUntil(wanted.sendOn());
        Parcel parcel = new Parcel(last.incrementAndGet(), depot.id(), wanted.grams(), wanted.content(), wanted.sendOn(),
                Parcel.State.WAITING);
        parcels.put(parcel.id(), parcel);
        LOG.debug("parcel {} is kept until {}", parcel.id(), keptUntil);
        return parcel;
    }

    /** The same day of the next year; planted fault: there is none for the 29th of February. */
    private static LocalDate keptUntil(LocalDate day) {
        if (day.getMonthValue() == 2 && day.getDayOfMonth() > 28) {
            LOG.info("a parcel of a leap day");
        }
        return LocalDate.of(day.getYear() + 1, day.getMonthValue(), day.getDayOfMonth());
    }

    Parcel send(int id, String carrier) {
        Parcel parcel = parcel(id);
        if (parcel.state() == Parcel.State.SENT) {
            throw new Refusal.Conflict("parcel " + id + " is on its way");
        }
        switch (carrier) {
            case "post":
                break;
            case "drone":
                if (parcel.grams() > 2_500) {
                    throw new Refusal.Conflict("too heavy for a drone");
                }
                break;
            case "tram":
                // Planted fault: it was given up, and its table of stops with it.
                throw new IllegalStateException("no stops");
            default:
                throw new Refusal.Conflict("unknown carrier");
        }
        parcels.put(id, parcel.sent());
        return parcels.get(id);
    }
}
