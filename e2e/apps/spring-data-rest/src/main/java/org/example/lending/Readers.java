package org.example.lending;

import java.util.UUID;
import org.springframework.data.repository.CrudRepository;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;
import org.springframework.data.rest.core.annotation.RestResource;

@RepositoryRestResource(path = "people")
public interface Readers extends CrudRepository<Reader, UUID> {
    @Override
    @RestResource(exported = false)
    void deleteById(UUID id);

    @Override
    @RestResource(exported = false)
    void delete(Reader reader);
}
