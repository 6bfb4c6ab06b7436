package org.example.garden

import java.time.LocalDate
import java.time.Month
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import org.slf4j.LoggerFactory

enum class Soil { SAND, CLAY, PEAT, LOAM }

/** A bed as it is asked for, in centimetres. */
data class NewBed(val length: Int, val width: Int, val soil: Soil)

data class Bed(val id: Int, val area: Int, val soil: Soil, val plants: List<Plant> = emptyList())

/** What is to grow. */
data class Sowing(val species: String, val sownOn: LocalDate, val count: Int)

data class Plant(val species: String, val sownOn: LocalDate, val count: Int, val days: Int)

data class Harvest(val kilograms: Int, val ripe: Boolean)

/** Something that is not done, with the status that says so. */
class Refusal(val status: Int, message: String) : RuntimeException(message)

/** All beds. */
class Garden {
    private val log = LoggerFactory.getLogger(Garden::class.java)
    private val beds = ConcurrentHashMap<Int, Bed>()
    private val last = AtomicInteger()

    fun dig(wanted: NewBed): Bed {
        if (wanted.length !in 10..2_000 || wanted.width !in 10..500) {
            throw Refusal(400, "no such bed can be dug")
        }
        val bed = Bed(last.incrementAndGet(), wanted.length * wanted.width, wanted.soil)
        beds[bed.id] = bed
        return bed
    }

    fun bed(id: Int): Bed = beds[id] ?: throw Refusal(404, "no bed $id")

    fun clear(id: Int) {
        val bed = bed(id)
        if (bed.plants.isNotEmpty()) {
            throw Refusal(409, "something grows there")
        }
        beds.remove(id)
    }

    fun sow(id: Int, sowing: Sowing): Bed {
        val bed = bed(id)
        if (sowing.count < 1 || sowing.count > 1_000) {
            throw Refusal(400, "between one and a thousand plants")
        }
        if (sowing.sownOn.month == Month.DECEMBER && sowing.sownOn.dayOfMonth == 24) {
            log.info("sown on Christmas Eve")
            throw Refusal(409, "the gardener has a day off")
        }
        val days = when (sowing.species) {
            "oats" -> 120
            "peas" -> 70
            // Planted fault: it grows nowhere, and nobody ever sowed it.
            "rice" -> error("no paddy")
            else -> 90
        }
        val grown = bed.copy(plants = bed.plants + Plant(sowing.species, sowing.sownOn, sowing.count, days))
        beds[id] = grown
        return grown
    }

    fun harvest(id: Int, on: LocalDate): Harvest {
        val bed = bed(id)
        val ripe = bed.plants.filter { it.sownOn.plusDays(it.days.toLong()) <= on }
        val grams = ripe.sumOf { it.count } * 300
        return when (bed.soil) {
            // Planted fault: nothing was sown.
            Soil.SAND -> Harvest(grams / bed.plants.size / 1_000, ripe.isNotEmpty())
            // Planted fault: nothing is ripe; the same message, another statement.
            Soil.CLAY -> Harvest(grams * 2 / ripe.size / 1_000, true)
            Soil.PEAT, Soil.LOAM -> Harvest(grams / 1_000, ripe.isNotEmpty())
        }
    }
}
