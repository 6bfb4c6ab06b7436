package restive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static restive.Service.cookie;
import static restive.Service.credentials;
import static restive.Service.encoded;
import static restive.Service.fresh;
import static restive.Service.given;
import static restive.Service.jsonPart;
import static restive.Service.lastSegment;
import static restive.Service.mediaType;
import static restive.Service.segment;
import static restive.Service.text;
import static restive.Service.xmlPart;

import io.restassured.response.Response;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Calls that succeed.
 */
@Order(3)
class SuccessesTest {

    @BeforeEach
    void reset() {
        Service.reset();
    }

    // What `post_files_then_put_files_by_id_then_post_xml_returns_200` is about.
    @Test
    @Order(1)
    void postFilesThenPutFilesByIdThenPostXmlReturns200() {
        // POST /files
        Response response = given()
            .when()
                .post("/files");
        assertEquals(201, response.statusCode());
        JsonBody body = JsonBody.of(response);
        String fileSize = body.scalar("/0/size");
        String fileOpen = body.scalar("/0/open");
        String fileNextEnd = segment(body.scalar("/0/next"), 0);
        String fileNextPart2 = segment(body.scalar("/0/next"), 2);
        String fileId = lastSegment(response);
        String fileEtag = response.getHeader("ETag");
        String fileSid = cookie(response, "sid");

        // PUT /files/{id}?open={id}
        Response response2 = given()
                .filter(credentials("alice"))
                .header("If-Match", fileEtag)
                .header("Cookie", "theme=dark; sid=" + fileSid)
                .contentType("application/json")
                .body("{\"file\":\"" + jsonPart(fileId) + "\",\"size\":" + fileSize + ",\"label\":\"no "
                        + jsonPart(fileSize) + "\"}")
            .when()
                .put("/files/" + encoded(fileId) + "?open=" + encoded(fileOpen));
        assertEquals(200, response2.statusCode());

        // POST /xml
        Response response3 = given()
                .contentType("application/xml")
                .body("<file><id>" + xmlPart(fileId) + "</id><next>" + xmlPart(fileNextPart2) + " "
                        + xmlPart(fileNextEnd) + "</next></file>")
            .when()
                .post("/xml");
        assertEquals(200, response3.statusCode());
    }

    // What `post_users_then_get_users_by_name_returns_200` is about.
    @Test
    @Order(2)
    void postUsersThenGetUsersByNameReturns200() {
        // POST /users
        String newName = fresh("Kqz-07fa");
        String newMail = fresh("kqzvtw@b.c");
        Response response = given()
                .contentType("application/json")
                .body("{\"name\":\"" + jsonPart(newName) + "\",\"mail\":\"" + jsonPart(newMail) + "\"}")
            .when()
                .post("/users");
        assertEquals(201, response.statusCode());

        // GET /users/{id}?mail={id}
        Response response2 = given()
            .when()
                .get("/users/" + encoded(newName) + "?mail=" + encoded(newMail));
        assertEquals(200, response2.statusCode());
    }

    // What `post_move_returns_302` is about.
    @Test
    @Order(3)
    void postMoveReturns302() {
        Response response = given()
            .when()
                .post("/move");
        assertEquals(302, response.statusCode());
    }

    // What `post_form_then_get_ping_returns_200` is about.
    @Test
    @Order(4)
    void postFormThenGetPingReturns200() {
        // POST /form
        Response response = given()
                .contentType("application/x-www-form-urlencoded")
                .body("a=1&b=%20x")
            .when()
                .post("/form");
        assertEquals(200, response.statusCode());

        // GET /ping
        Response response2 = given()
            .when()
                .get("/ping");
        assertEquals(200, response2.statusCode());
        assertEquals("text/plain", mediaType(response2));
        assertEquals("pong\n", text(response2));
    }
}
