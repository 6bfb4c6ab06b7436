package org.example.parcels;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.MatrixVariable;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.MultipartHttpServletRequest;

/** Beans that Spring fills from parameters, served with the profile {@code beans} alone; 418 where they are valid. */
@RestController
@Profile("beans")
public class Beans {
    /** A bean that is not annotated, with properties in properties. */
    @GetMapping("/beans/plain")
    public ResponseEntity<Void> plain(@Valid Order order) {
        return ResponseEntity.status(418).build();
    }

    /** The same in a form. */
    @PostMapping("/beans/form")
    public ResponseEntity<Void> form(@Valid @ModelAttribute Order order) {
        return ResponseEntity.status(418).build();
    }

    /** Made by its constructor. */
    @GetMapping("/beans/made")
    public ResponseEntity<Void> made(@Valid @ModelAttribute Made made) {
        return ResponseEntity.status(418).build();
    }

    /** A parameter behind the path. */
    @GetMapping("/beans/matrix/{id}")
    public ResponseEntity<Void> matrix(@MatrixVariable(name = "side", required = false) String side) {
        return ResponseEntity.status(side == null ? 400 : side.equals("stern") ? 418 : 200).build();
    }

    /** Files of which no annotation knows more than that there are some. */
    @PostMapping(path = "/beans/papers", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
    public ResponseEntity<Void> papers(HttpServletRequest request) {
        boolean hasFile = request instanceof MultipartHttpServletRequest parts && !parts.getFileMap().isEmpty();
        return ResponseEntity.status(hasFile ? 418 : 400).build();
    }

    /** A file that is called a parameter. */
    @PostMapping("/beans/scans")
    public ResponseEntity<Void> scans(@RequestParam("scan") MultipartFile scan) {
        return ResponseEntity.status(418).build();
    }

    /** What is ordered. */
    public static class Order {
        @Min(7100)
        @Max(7110)
        private int shelf;

        @Valid
        @NotNull
        private Buyer buyer;

        @Valid
        @Size(min = 2)
        private final List<Buyer> others = new ArrayList<>();

        public int getShelf() {
            return shelf;
        }

        public void setShelf(int shelf) {
            this.shelf = shelf;
        }

        public Buyer getBuyer() {
            return buyer;
        }

        public void setBuyer(Buyer buyer) {
            this.buyer = buyer;
        }

        public List<Buyer> getOthers() {
            return others;
        }
    }

    /** Who orders. */
    public static class Buyer {
        @NotNull
        @Pattern(regexp = "[A-Z]{2}[0-9]{4}")
        private String pass;

        public String getPass() {
            return pass;
        }

        public void setPass(String pass) {
            this.pass = pass;
        }
    }

    /** What cannot be changed. */
    public static class Made {
        @NotNull
        @Pattern(regexp = "[A-Z]{2}[0-9]{4}")
        private final String pass;

        @Min(-330)
        @Max(-320)
        private final long drift;

        @NotNull
        @Size(min = 3, max = 4)
        private final List<@Pattern(regexp = "[a-z]{2}-[0-9]{2}") String> stops;

        public Made(String pass, long drift, List<String> stops) {
            this.pass = pass;
            this.drift = drift;
            this.stops = stops;
        }
    }
}
