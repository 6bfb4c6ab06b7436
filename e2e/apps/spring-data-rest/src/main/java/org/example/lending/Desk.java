package org.example.lending;

import org.springframework.data.rest.core.annotation.HandleBeforeCreate;
import org.springframework.data.rest.core.annotation.RepositoryEventHandler;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

@Component
@RepositoryEventHandler
public class Desk {
    @HandleBeforeCreate
    public void lend(Loan loan) {
        if (loan.getBook() == null) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "a loan is of a book");
        }
        if (loan.getBook().getPages() > 900) {
            throw new IllegalStateException("too heavy to carry");
        }
    }
}
