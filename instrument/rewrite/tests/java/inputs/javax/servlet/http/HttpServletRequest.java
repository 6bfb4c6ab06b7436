package javax.servlet.http;

import java.io.InputStream;
import java.util.Map;

/** As much of the interface as is used here. */
public interface HttpServletRequest {
    String getParameter(String name);

    Map<String, String[]> getParameterMap();

    String getHeader(String name);

    String getQueryString();

    Object[] getCookies();

    InputStream getInputStream();
}
