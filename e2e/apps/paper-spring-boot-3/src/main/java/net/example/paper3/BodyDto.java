package net.example.paper3;

/** A body. */
public class BodyDto {
    public Integer x;
}
