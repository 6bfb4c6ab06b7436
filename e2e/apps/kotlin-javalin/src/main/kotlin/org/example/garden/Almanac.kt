package org.example.garden

import kotlinx.coroutines.delay

/** When the sun rises. */
data class Sunrise(val minute: Int)

/** A book that takes its time to be opened. */
object Almanac {
    suspend fun sunrise(day: Int, latitude: Int): Sunrise {
        if (latitude < -90 || latitude > 90) {
            throw Refusal(400, "no such latitude")
        }
        // From here on another thread goes on, not that of the request, and maybe not the one that began.
        delay(1)
        // Planted fault: one latitude on each late day of a year.
        if (day > 300 && day - 4 * latitude == 180) {
            throw IllegalStateException("a page is missing")
        }
        return Sunrise(360 + latitude)
    }
}
