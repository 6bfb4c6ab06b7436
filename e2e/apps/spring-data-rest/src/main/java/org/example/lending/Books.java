package org.example.lending;

import java.util.List;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.repository.query.Param;
import org.springframework.data.rest.core.annotation.RestResource;

public interface Books extends JpaRepository<Book, Long> {
    @RestResource(path = "thick")
    Page<Book> findByPagesGreaterThan(@Param("than") int pages, Pageable pageable);

    List<Book> findByTitleIgnoreCase(String title);

    @RestResource(exported = false)
    List<Book> findByPages(int pages);
}
