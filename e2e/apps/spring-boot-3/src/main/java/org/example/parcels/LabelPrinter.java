package org.example.parcels;

import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;

/** Prints labels, on threads of its own. */
@Component
class LabelPrinter {
    private static final Logger LOG = LoggerFactory.getLogger(LabelPrinter.class);

    /** What is stuck to a parcel. */
    record Label(int number, String text) {
    }

    @Async
    CompletableFuture<Label> print(int number) {
        int digit = number % 97;
        if (number < 10_000) {
            return CompletableFuture.completedFuture(new Label(number, "short " + digit));
        }
        if (number == 76_543) {
            LOG.warn("label {} was printed in another town", number);
            // Planted fault, thrown in another thread than the request's.
            throw new IllegalStateException("label " + number + " is reserved");
        }
        return CompletableFuture.completedFuture(new Label(number, "long " + digit));
    }
}
