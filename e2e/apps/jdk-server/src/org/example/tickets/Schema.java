package org.example.tickets;

/** The office described. */
final class Schema {
    private static final String ANSWER = "{\"description\": \"it\", \"content\": {\"application/json\": {\"schema\": {\"type\": \"object\"}}}}";

    static final String TEXT = "{\"openapi\": \"3.0.3\", \"info\": {\"title\": \"Ticket office\", \"version\": \"1\"}, \"paths\": {"
            + path("/discounts", "code") + ", " + path("/seats", "row", "seat") + ", " + path("/shares", "sum", "among") + ", "
            + path("/closing", "hour") + ", " + path("/loops", "times") + "}}";

    private Schema() {
    }

    private static String path(String path, String... names) {
        StringBuilder parameters = new StringBuilder();
        for (String name : names) {
            parameters.append(parameters.length() == 0 ? "" : ", ").append("{\"name\": \"").append(name)
                    .append("\", \"in\": \"query\", \"required\": true, ")
                    .append("\"schema\": {\"type\": \"integer\", \"format\": \"int32\"}}");
        }
        StringBuilder answers = new StringBuilder();
        for (String status : new String[] {"200", "202", "400", "418"}) {
            answers.append(answers.length() == 0 ? "" : ", ").append("\"").append(status).append("\": ").append(ANSWER);
        }
        return "\"" + path + "\": {\"get\": {\"parameters\": [" + parameters + "], \"responses\": {" + answers + "}}}";
    }
}
