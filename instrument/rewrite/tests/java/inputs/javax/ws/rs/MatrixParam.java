package javax.ws.rs;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As the original. */
@Retention(RetentionPolicy.RUNTIME)
public @interface MatrixParam {
    String value();
}
