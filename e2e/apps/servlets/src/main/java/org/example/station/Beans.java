package org.example.station;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What a servlet of Spring needs beside what it serves. */
@Configuration
@EnableWebMvc
public class Beans {
}
