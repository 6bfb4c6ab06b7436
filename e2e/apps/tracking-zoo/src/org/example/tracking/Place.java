package org.example.tracking;

/** Where the input of a row stands in the request. */
enum Place {
    QUERY("{\"name\":\"value\",\"in\":\"query\",\"required\":true,\"schema\":TEXT}"),
    PAIR("{\"name\":\"one\",\"in\":\"query\",\"required\":true,\"schema\":TEXT},"
            + "{\"name\":\"other\",\"in\":\"query\",\"required\":true,\"schema\":TEXT}"),
    NUMBER("{\"name\":\"value\",\"in\":\"query\",\"required\":true,\"schema\":{\"type\":\"integer\",\"format\":\"int32\"}}"),
    HEADER("{\"name\":\"X-Value\",\"in\":\"header\",\"required\":true,\"schema\":TEXT}"),
    COOKIE("{\"name\":\"value\",\"in\":\"cookie\",\"required\":true,\"schema\":TEXT}"),
    PATH("{\"name\":\"value\",\"in\":\"path\",\"required\":true,\"schema\":TEXT}"),
    FIELD("{\"type\":\"object\",\"required\":[\"value\"],\"properties\":{\"value\":TEXT}}"),
    NESTED("{\"type\":\"object\",\"required\":[\"outer\"],\"properties\":{\"outer\":{\"type\":\"object\",\"required\":[\"inner\"],"
            + "\"properties\":{\"inner\":{\"type\":\"object\",\"required\":[\"value\"],\"properties\":{\"value\":TEXT}}}}}}"),
    MEMBER("{\"type\":\"object\",\"required\":[\"values\"],\"properties\":{\"values\":{\"type\":\"array\",\"minItems\":2,\"items\":TEXT}}}"),
    ENTRY("{\"type\":\"object\",\"minProperties\":1,\"additionalProperties\":TEXT}"),
    LABELS("{\"type\":\"object\",\"required\":[\"name\",\"labels\"],\"properties\":{\"name\":TEXT,"
            + "\"labels\":{\"type\":\"object\",\"additionalProperties\":TEXT}}}"),
    DETAILS("{\"type\":\"object\",\"required\":[\"details\"],\"properties\":{\"details\":{}}}"),
    KEYS("{\"type\":\"object\",\"additionalProperties\":{}}"),
    FORM("{\"type\":\"object\",\"required\":[\"value\"],\"properties\":{\"value\":TEXT}}");

    private static final String TEXT = "{\"type\":\"string\",\"maxLength\":60}";

    private final String schema;

    Place(String schema) {
        this.schema = schema;
    }

    boolean isBody() {
        return ordinal() >= FIELD.ordinal();
    }

    /** The operation of a row, without its responses. */
    String operation() {
        String text = schema.replace("TEXT", TEXT);
        if (!isBody()) {
            return "\"parameters\":[" + text + "]";
        }
        String type = this == FORM ? "application/x-www-form-urlencoded" : "application/json";
        return "\"requestBody\":{\"required\":true,\"content\":{\"" + type + "\":{\"schema\":" + text + "}}}";
    }
}
