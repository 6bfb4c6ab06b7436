package restive

import java.io.IOException
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Order
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/**
 * Faults: what the service answers wrongly today.
 *
 * The tests pass on the unchanged service, so they assert the wrong answers. Once a fault is fixed its
 * test fails: expect the right status and body then, and keep the test.
 */
@Order(1)
class FaultsTest {

    @BeforeEach
    fun reset() = Service.reset()

    // GET /orders/{id}: server error (status 500) - the answer is 500.
    // Shows F1.
    // Covers Orders:31, 32, 33, 34, 35, 36 and 1 more.
    // Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
    @Test
    @Order(1)
    fun postOrdersThenGetOrdersByIdWronglyReturns500() {
        // POST /orders
        val response = given()
            .contentType("application/json")
            .body("""{"item":"book","quantity":2,"note":"as a gift, please wrap it well","tags":["a","b"],"""
                    + "\"price\":9.5}")
            .post("/orders")
        assertEquals(201, response.statusCode())
        assertEquals("application/json", mediaType(response))
        assertEquals("no-store, private", response.getHeader("cache-control"))
        assertTrue(response.headers.hasHeaderWithName("location"))
        val body = JsonBody.of(response)
        assertEquals("book", body.text("/item"))
        assertEquals(2L, body.integer("/quantity"))
        assertEquals(9.5, body.decimal("/price"))
        assertEquals(1.2345678901234568e21, body.decimal("/total"))
        assertTrue(body.isNumber("/id"))
        assertTrue(body.isNumber("/rate"))
        assertEquals(9007199254740993L, body.integer("/count"))
        assertEquals(1, body.size("/lines"))
        assertTrue(body.boolean("/lines/0/open"))
        assertEquals("key that looks like a position", body.text("/lines/0/0"))
        assertEquals(0, body.size("/history"))
        assertTrue(body.isUuid("/key"))
        assertTrue(body.isDateTime("/made"))
        assertEquals(listOf("new", "paid"), body.texts("/labels"))
        assertEquals(listOf(2L, 10L), body.integers("/counts"))
        assertTrue(body.isNull("/paid"))
        val orderId = body.scalar("/id")

        // GET /orders/{id}
        val response2 = given().get("/orders/" + encoded(orderId))
        assertEquals(500, response2.statusCode())
    }

    // What `post_drop_wrongly_breaks_the_connection` is about.
    // Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
    @Test
    @Order(2)
    fun postDropWronglyBreaksTheConnection() {
        assertThrows<IOException> { given()
            .header("X-One", "1")
            .post("/drop") }
    }
}
