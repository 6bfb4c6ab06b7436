package com.example.toll;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.CookieValue;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Part;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.RequestBean;
import io.micronaut.http.multipart.CompletedFileUpload;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

/** Inputs that no schema names, served with the property {@code passes} alone; 418 where they are as they should be. */
@Hidden
@Controller("/passes")
@Requires(property = "passes")
public class Passes {
    /** A bean that is filled from a parameter, a field and a cookie. */
    @Get("/bean")
    HttpResponse<Void> bean(@Valid @RequestBean Pass pass) {
        return HttpResponse.status(HttpStatus.I_AM_A_TEAPOT);
    }

    /** The same without annotations: members are parameters of their names. */
    @Get("/plain")
    HttpResponse<Void> plain(@Valid @RequestBean Lane lane) {
        return HttpResponse.status(HttpStatus.I_AM_A_TEAPOT);
    }

    /** A bean that the template of the path spreads over the query. */
    @Get("/spread{?lane*}")
    HttpResponse<Void> spread(@Valid Lane lane) {
        return HttpResponse.status(HttpStatus.I_AM_A_TEAPOT);
    }

    /** A body that is read into a bean. */
    @Post("/body")
    HttpResponse<Void> body(@Valid @Body Lane lane) {
        return HttpResponse.status(HttpStatus.I_AM_A_TEAPOT);
    }

    /** Members of a body, without a bean. */
    @Post("/members")
    HttpResponse<Void> members(@Nullable String sign, @Nullable Integer number) {
        boolean isWanted = "slow".equals(sign) && number != null && number > 7100;
        return sign == null ? HttpResponse.badRequest() : answer(isWanted ? "all" : "some", "all");
    }

    @Get("/query")
    HttpResponse<Void> query(@Nullable @QueryValue("lane") String lane) {
        return answer(lane, "teal");
    }

    @Get("/header")
    HttpResponse<Void> header(@Nullable @Header("X-Lane") String lane) {
        return answer(lane, "upper");
    }

    @Get("/cookie")
    HttpResponse<Void> cookie(@Nullable @CookieValue("crumb") String crumb) {
        return answer(crumb, "rye");
    }

    /** A file, and what stands beside it. */
    @Post(uri = "/papers", consumes = MediaType.MULTIPART_FORM_DATA)
    HttpResponse<Void> papers(CompletedFileUpload paper, @Nullable @Part("note") String text) {
        return HttpResponse.status(HttpStatus.I_AM_A_TEAPOT);
    }

    /** Fields of a form, without a word on them. */
    @Post(uri = "/stamps/{colour}", consumes = MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<Void> stamps(String colour, String place, int count) {
        return HttpResponse.status(HttpStatus.I_AM_A_TEAPOT);
    }

    private static HttpResponse<Void> answer(String given, String wanted) {
        return given == null ? HttpResponse.badRequest()
                : given.equals(wanted) ? HttpResponse.status(HttpStatus.I_AM_A_TEAPOT) : HttpResponse.ok();
    }

    /** Where to drive. */
    @Serdeable
    public record Lane(@NotNull @Pattern(regexp = "[a-z]{2}-[0-9]{2}") String sign, @Min(7100) @Max(7110) int number) {
    }

    /** What a driver shows. */
    @Introspected
    public static class Pass {
        @QueryValue
        @Min(7100)
        @Max(7110)
        private int gate;

        @Header("X-Badge")
        @NotNull
        @Pattern(regexp = "[A-Z]{2}[0-9]{4}")
        private String badge;

        @CookieValue("valid-in")
        @Min(2050)
        private long year;

        public int getGate() {
            return gate;
        }

        public void setGate(int gate) {
            this.gate = gate;
        }

        public String getBadge() {
            return badge;
        }

        public void setBadge(String badge) {
            this.badge = badge;
        }

        public long getYear() {
            return year;
        }

        public void setYear(long year) {
            this.year = year;
        }
    }
}
