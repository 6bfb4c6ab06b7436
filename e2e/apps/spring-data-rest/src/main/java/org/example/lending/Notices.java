package org.example.lending;

import org.springframework.data.repository.CrudRepository;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;

@RepositoryRestResource(exported = false)
public interface Notices extends CrudRepository<Notice, Long> {
}
