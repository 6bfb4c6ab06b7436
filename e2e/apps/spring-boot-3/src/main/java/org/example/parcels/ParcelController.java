package org.example.parcels;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import java.util.concurrent.CompletableFuture;
import org.example.parcels.Parcel.Depot;
import org.example.parcels.Parcel.NewDepot;
import org.example.parcels.Parcel.NewParcel;
import org.example.parcels.Parcel.Pickup;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The counter. */
@RestController
class ParcelController {
    /** An answer that costs next to nothing. */
    record Hours(int opens, int closes) {
    }

    /** What is put on the scales. */
    record Weighing(@Positive @Max(31_500) int grams, int pieces) {
    }

    private final Depots depots;
    private final LabelPrinter printer;

    ParcelController(Depots depots, LabelPrinter printer) {
        this.depots = depots;
        this.printer = printer;
    }

    @GetMapping("/hours")
    Hours hours() {
        return new Hours(8, 18);
    }

    @PostMapping("/weighings")
    Weighing weigh(@Valid @RequestBody Weighing weighing) {
        return weighing;
    }

    @PostMapping("/depots")
    @ResponseStatus(HttpStatus.CREATED)
    Depot open(@Valid @RequestBody NewDepot wanted) {
        return depots.open(wanted);
    }

    @GetMapping("/depots/{id}")
    Depot depot(@PathVariable int id) {
        return depots.depot(id);
    }

    @PostMapping("/parcels")
    @ResponseStatus(HttpStatus.CREATED)
    Parcel take(@Valid @RequestBody NewParcel wanted) {
        return depots.take(wanted);
    }

    /** Planted fault: nobody was ever let through to here. */
    @PostMapping("/consignments")
    @io.swagger.v3.oas.annotations.parameters.RequestBody(
            content = @Content(schema = @Schema(implementation = Consignment.Announced.class)))
    String announce(@Valid @RequestBody Consignment consignment) {
        throw new IllegalStateException("nothing is made of consignments");
    }

    @GetMapping("/parcels/{id}")
    Parcel parcel(@PathVariable int id) {
        return depots.parcel(id);
    }

    @PostMapping("/parcels/{id}/pickup")
    Parcel send(@PathVariable int id, @Valid @RequestBody Pickup pickup) {
        return depots.send(id, pickup.carrier());
    }

    @GetMapping("/quotes")
    Tariff.Quote quote(@RequestParam int grams, @RequestParam int kilometres, @RequestParam int pieces,
            @RequestParam Tariff.Speed speed) {
        return Tariff.quote(grams, kilometres, pieces, speed);
    }

    @GetMapping("/labels/{number}")
    CompletableFuture<LabelPrinter.Label> label(@PathVariable int number) {
        return printer.print(number);
    }
}
