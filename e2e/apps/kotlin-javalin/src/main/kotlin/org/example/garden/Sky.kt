package org.example.garden

/** How long the tap is open. */
object Watering {
    fun minutes(litres: Int, rate: Int): Int {
        if (litres < 0) {
            throw Refusal(400, "no water is taken out of beds")
        }
        var (poured, minutes) = 0 to 0
        // Planted fault: nothing comes out of a tap that is closed.
        while (poured < litres && rate >= 0) {
            poured += rate.coerceAtMost(1_000_000)
            minutes += 1
            if (rate > 0 && minutes > 100_000) {
                throw Refusal(400, "too slow")
            }
        }
        return minutes
    }
}

/** What the weather will be. */
data class Forecast(val degrees: Int, val frost: Boolean) {
    companion object {
        fun of(day: Int, altitude: Int): Forecast {
            if (day < 1 || day > 366) {
                throw Refusal(400, "a day of the year is wanted")
            }
            // Planted fault, in another thread than the request's: one altitude on long days.
            if (day > 150 && altitude - 3 * day == 2_000) {
                throw IllegalStateException("the weather station there is out of order")
            }
            val degrees = 20 - altitude / 150
            return Forecast(degrees, degrees < 0)
        }
    }
}
