package restive

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Order
import org.junit.jupiter.api.Test

/**
 * Calls that succeed.
 */
@Order(3)
class SuccessesTest {

    @BeforeEach
    fun reset() = Service.reset()

    // What `post_files_then_put_files_by_id_then_post_xml_returns_200` is about.
    @Test
    @Order(1)
    fun postFilesThenPutFilesByIdThenPostXmlReturns200() {
        // POST /files
        val response = given().post("/files")
        assertEquals(201, response.statusCode())
        val body = JsonBody.of(response)
        val fileId = lastSegment(response)
        val fileEtag = response.getHeader("ETag")
        val fileSid = cookie(response, "sid")
        val fileSize = body.scalar("/0/size")
        val fileOpen = body.scalar("/0/open")
        val fileNextEnd = segment(body.scalar("/0/next"), 0)
        val fileNextPart2 = segment(body.scalar("/0/next"), 2)

        // PUT /files/{id}?open={id}
        val response2 = given()
            .filter(credentials("alice"))
            .header("If-Match", fileEtag)
            .header("Cookie", "theme=dark; sid=" + fileSid)
            .contentType("application/json")
            .body("{\"file\":\"" + jsonPart(fileId) + "\",\"size\":" + fileSize + ""","label":"no """
                    + jsonPart(fileSize) + "\"}")
            .put("/files/" + encoded(fileId) + "?open=" + encoded(fileOpen))
        assertEquals(200, response2.statusCode())

        // POST /xml
        val response3 = given()
            .contentType("application/xml")
            .body("<file><id>" + xmlPart(fileId) + "</id><next>" + xmlPart(fileNextPart2) + " "
                    + xmlPart(fileNextEnd) + "</next></file>")
            .post("/xml")
        assertEquals(200, response3.statusCode())
    }

    // What `post_users_then_get_users_by_name_returns_200` is about.
    @Test
    @Order(2)
    fun postUsersThenGetUsersByNameReturns200() {
        // POST /users
        val newName = fresh("Kqz-07fa")
        val newMail = fresh("kqzvtw@b.c")
        val response = given()
            .contentType("application/json")
            .body("{\"name\":\"" + jsonPart(newName) + "\",\"mail\":\"" + jsonPart(newMail) + "\"}")
            .post("/users")
        assertEquals(201, response.statusCode())

        // GET /users/{id}?mail={id}
        val response2 = given().get("/users/" + encoded(newName) + "?mail=" + encoded(newMail))
        assertEquals(200, response2.statusCode())
    }

    // What `post_move_returns_302` is about.
    @Test
    @Order(3)
    fun postMoveReturns302() {
        val response = given().post("/move")
        assertEquals(302, response.statusCode())
    }

    // What `post_form_then_get_ping_returns_200` is about.
    @Test
    @Order(4)
    fun postFormThenGetPingReturns200() {
        // POST /form
        val response = given()
            .contentType("application/x-www-form-urlencoded")
            .body("a=1&b=%20x")
            .post("/form")
        assertEquals(200, response.statusCode())

        // GET /ping
        val response2 = given().get("/ping")
        assertEquals(200, response2.statusCode())
        assertEquals("text/plain", mediaType(response2))
        assertEquals("pong\n", text(response2))
    }
}
