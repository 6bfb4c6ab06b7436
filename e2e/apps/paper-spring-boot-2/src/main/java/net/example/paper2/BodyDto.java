package net.example.paper2;

/** A body. */
public class BodyDto {
    public Integer x;
}
