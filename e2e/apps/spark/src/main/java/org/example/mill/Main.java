package org.example.mill;

import spark.Spark;

/** A mill. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        Spark.ipAddress("127.0.0.1");
        Spark.port(Integer.parseInt(args[0]));
        Spark.before((request, response) -> response.type("text/plain"));
        Grains grains = new Grains();
        Spark.path("/grains", () -> {
            Spark.get("", grains::all);
            Spark.get("/:grain", (request, response) -> request.params(":grain"));
            Spark.post("/:grain/sacks", grains::bring);
        });
        Spark.get("/price", (request, response) -> 12, Object::toString);
        Spark.get("/flour/*", (request, response) -> request.splat()[0]);
        Spark.delete("/stones", new Stones());
    }
}
