package org.example.station;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet of the service's own, without any framework. */
public class Desk extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print("yes?");
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
        if ("everything".equals(request.getParameter("what"))) {
            throw new IllegalStateException("nobody may do that");
        }
    }
}
