package read;

import com.google.gson.annotations.SerializedName;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.QueryValue;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.validation.constraints.Min;
import javax.validation.constraints.NotNull;
import javax.validation.constraints.Size;
import javax.ws.rs.BeanParam;
import javax.ws.rs.CookieParam;
import javax.ws.rs.FormParam;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.MatrixParam;
import javax.ws.rs.QueryParam;
import org.glassfish.jersey.media.multipart.FormDataParam;
import org.springframework.web.multipart.MultipartFile;

/** What frameworks fill from parameters. */
public final class Filled {
    private Filled() {
    }

    public enum Deck {
        LOWER, @SerializedName("Top") UPPER
    }

    /** By its setters, and through its getters. */
    public static class Search extends Paged<Long> {
        @Min(3)
        private int size;
        private String hidden;
        private List<String> tags;
        private Deck deck;
        private Crew crew;
        private List<Stop> stops;
        private Map<Deck, @Min(5) Integer> fees;
        private MultipartFile plan;
        private Search next;

        public void setSize(int size) {
            Types.ran = true;
            this.size = size;
        }

        public String getHidden() {
            return hidden;
        }

        public void setTags(List<String> tags) {
            this.tags = tags;
        }

        public List<@Size(min = 2) String> getTags() {
            return tags;
        }

        public void setDeck(Deck deck) {
            this.deck = deck;
        }

        public Crew getCrew() {
            return crew;
        }

        public void setCrew(Crew crew) {
            this.crew = crew;
        }

        public List<Stop> getStops() {
            return stops;
        }

        public Map<Deck, Integer> getFees() {
            return fees;
        }

        public void setPlan(MultipartFile plan) {
            this.plan = plan;
        }

        public Search getNext() {
            return next;
        }

        public void setURL(Optional<String> address) {
            Types.ran = true;
        }

        protected void setInner(int inner) {
            Types.ran = true;
        }
    }

    public static class Paged<K> {
        private K after;

        public K getAfter() {
            return after;
        }

        public void setAfter(K after) {
            this.after = after;
        }
    }

    /** By its constructor, whose parameters are called as its fields. */
    public static class Crew {
        @NotNull
        private final String name;
        private final int[] ages;

        public Crew(String name, int[] ages) {
            Types.ran = true;
            this.name = name;
            this.ages = ages;
        }
    }

    public static class Stop {
        private String port;

        public void setPort(String port) {
            this.port = port;
        }
    }

    /** By annotations of JAX-RS. */
    public static class Wanted {
        @QueryParam("q")
        @Size(max = 4)
        private String text;
        @HeaderParam("X-Deck")
        private Deck deck;
        @BeanParam
        private More more;
        private String own;

        public Wanted(@CookieParam("crumb") long crumb) {
        }

        public Wanted() {
        }

        @FormParam("sort")
        public void setSort(Set<@Min(1) Integer> sort) {
            Types.ran = true;
        }
    }

    public static class More {
        @QueryParam("made")
        private Made made;
    }

    /** Made of a text. */
    public static class Made {
        public static Made valueOf(String text) {
            Types.ran = true;
            return new Made();
        }
    }

    /** From the parts of a body, by annotations of RESTEasy's bean. */
    public static class Parts {
        @FormParam("label")
        @Size(max = 4)
        private String label;
        @FormParam("more")
        private Stop stop;
        @FormParam("bytes")
        private byte[] bytes;
        @QueryParam("q")
        private String notRead;

        @FormParam("file")
        public void setFile(java.io.InputStream file) {
            Types.ran = true;
        }
    }

    /** Each a parameter of a method of Jersey. */
    public static class Parted {
        @FormDataParam("label")
        @Size(min = 2)
        private String label;
        @FormDataParam("file")
        private java.io.InputStream file;
        @FormDataParam("stop")
        private Stop stop;
        @FormDataParam("tags")
        private List<Integer> tags;
        @FormDataParam("part")
        private FormDataBodyPart part;
    }

    /** Each a parameter of a method that Jersey reads from a part because the body has parts. */
    public static class Fielded {
        @FormParam("label")
        @Size(min = 2)
        private String label;
        @FormParam("berth")
        @Min(3)
        private int berth;
        @FormParam("more")
        private Stop more;
    }

    /** As much of Jersey's class as is asked: its name. */
    public static class FormDataBodyPart {
    }

    /** By annotations of Micronaut. */
    public static class Shown {
        @QueryValue
        @Min(3)
        private int gate;
        @Header(name = "X-Badge")
        private String badge;
        @MatrixParam("side")
        private Deck side;
        @Size(max = 4)
        private String lane;
        private List<Integer> lanes;

        public void setLane(String lane) {
            Types.ran = true;
        }

        public void setLanes(List<@Min(1) Integer> lanes) {
            Types.ran = true;
        }

        public void setGate(int gate) {
            Types.ran = true;
        }
    }
}
