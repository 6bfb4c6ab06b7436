package org.example.garden

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.SerializationFeature
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule
import com.fasterxml.jackson.module.kotlin.jacksonObjectMapper
import io.javalin.Javalin
import io.javalin.http.Context
import io.javalin.http.HttpStatus
import io.javalin.json.JavalinJackson
import java.time.LocalDate
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.future.future

/** Threads that reckon forecasts while those that serve requests go on. */
private val forecasters = Executors.newFixedThreadPool(2) { work -> Thread(work, "forecaster").apply { isDaemon = true } }

/** Coroutines that look things up. */
private val lookingUp = CoroutineScope(SupervisorJob() + Dispatchers.Default)

fun main() {
    val port = System.getenv("PORT")?.toInt() ?: 7070
    serve(Garden(), port)
}

private fun serve(garden: Garden, port: Int) {
    val mapper = jacksonObjectMapper().registerModule(JavaTimeModule()).disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
    val app = Javalin.create { config ->
        config.showJavalinBanner = false
        config.jsonMapper(JavalinJackson(mapper, false))
    }
    app.post("/beds") { context ->
        context.status(HttpStatus.CREATED).json(garden.dig(context.bodyAsClass(NewBed::class.java)))
    }
    app.get("/beds/{bed}") { context -> context.json(garden.bed(context.number("bed"))) }
    app.delete("/beds/{bed}") { context ->
        garden.clear(context.number("bed"))
        context.status(HttpStatus.NO_CONTENT)
    }
    app.post("/beds/{bed}/plants") { context ->
        val sowing = context.bodyAsClass(Sowing::class.java)
        context.status(HttpStatus.CREATED).json(garden.sow(context.number("bed"), sowing))
    }
    app.get("/beds/{bed}/harvest") { context ->
        context.json(garden.harvest(context.number("bed"), LocalDate.parse(context.asked("on"))))
    }
    app.get("/watering") { context ->
        val minutes = Watering.minutes(context.askedNumber("litres"), context.askedNumber("rate"))
        context.json(mapOf("minutes" to minutes))
    }
    app.get("/forecast") { context ->
        val (day, altitude) = context.askedNumber("day") to context.askedNumber("altitude")
        val forecast = CompletableFuture.supplyAsync({ Forecast.of(day, altitude) }, forecasters)
        context.future { forecast.thenAccept { context.json(it) } }
    }
    app.get("/sunrise") { context ->
        val (day, latitude) = context.askedNumber("day") to context.askedNumber("latitude")
        context.future { lookingUp.future { Almanac.sunrise(day, latitude) }.thenAccept { context.json(it) } }
    }
    app.exception(Refusal::class.java) { refusal, context -> context.refuse(refusal.status, refusal.message) }
    app.exception(JsonProcessingException::class.java) { _, context -> context.refuse(400, "not understood") }
    app.exception(NumberFormatException::class.java) { _, context -> context.refuse(400, "not a number") }
    app.exception(java.time.format.DateTimeParseException::class.java) { _, context -> context.refuse(400, "not a date") }
    app.start("127.0.0.1", port)
}

private fun Context.refuse(status: Int, message: String?) {
    status(status).json(mapOf("message" to message))
}

private fun Context.number(name: String) = pathParam(name).toInt()

private fun Context.asked(name: String) = queryParam(name) ?: throw Refusal(400, "`$name` is missing")

private fun Context.askedNumber(name: String) = asked(name).toInt()
