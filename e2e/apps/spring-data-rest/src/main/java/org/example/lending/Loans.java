package org.example.lending;

import java.util.Optional;
import org.springframework.data.repository.Repository;

/** Loans are made and changed, never listed or forgotten. */
public interface Loans extends Repository<Loan, Long> {
    Loan save(Loan loan);

    Optional<Loan> findById(Long id);
}
