package org.example.quay;

import jakarta.xml.bind.annotation.XmlRootElement;

/** What is sent, by the rules of JAXB. */
@XmlRootElement(name = "box")
public class Box {
    public String port;
    public int weight;
}
