package org.example.freight;

import jakarta.xml.bind.annotation.XmlRootElement;

/** What is sent, by the rules of JAXB. */
@XmlRootElement(name = "box")
public class Crate {
    public String port;
    public int weight;
}
