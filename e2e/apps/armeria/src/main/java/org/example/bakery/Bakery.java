package org.example.bakery;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.annotation.Default;
import com.linecorp.armeria.server.annotation.Delete;
import com.linecorp.armeria.server.annotation.Get;
import com.linecorp.armeria.server.annotation.Header;
import com.linecorp.armeria.server.annotation.Param;
import com.linecorp.armeria.server.annotation.Post;
import com.linecorp.armeria.server.annotation.RequestObject;
import java.util.Optional;

/** Bread by the loaf. */
public final class Bakery {
    private static final int OVEN = 40;

    @Get("/breads")
    public HttpResponse breads(@Param("kind") Optional<String> kind, @Default("10") @Param("most") int most,
            @Header("X-Till") Optional<String> till, ServiceRequestContext context) {
        return HttpResponse.of(kind.isPresent() && most < 0 ? HttpStatus.BAD_REQUEST : HttpStatus.OK);
    }

    @Get("/breads/{name}")
    public HttpResponse bread(@Param("name") String name, @Param("slices") int slices) {
        return HttpResponse.of(slices == 1 ? HttpStatus.NO_CONTENT : HttpStatus.OK);
    }

    @Delete("/orders/:number")
    public HttpResponse cancel(@Param("number") int number) {
        return HttpResponse.of(HttpStatus.NO_CONTENT);
    }

    @Post("/orders")
    public HttpResponse order(@RequestObject Order order) {
        if (order.loaves > OVEN && order.kind != null) {
            throw new IllegalStateException("the oven holds " + OVEN);
        }
        return HttpResponse.of(HttpStatus.CREATED);
    }
}
