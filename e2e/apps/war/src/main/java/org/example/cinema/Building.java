package org.example.cinema;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** It takes a while until the cinema is open; the port of its container is long before. */
@WebListener
public class Building implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        try {
            Thread.sleep(4000);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
