package org.example.depot

import io.ktor.http.HttpStatusCode
import io.ktor.serialization.jackson.jackson
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.request.header
import io.ktor.server.request.receive
import io.ktor.server.request.receiveParameters
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.delete
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.put
import io.ktor.server.routing.route
import io.ktor.server.routing.routing

/** A tram that goes to its line. */
data class Tram(val name: String, val seats: Int)

/** The port is the only argument. */
fun main(arguments: Array<String>) {
    embeddedServer(Netty, port = arguments[0].toInt(), host = "127.0.0.1") { depot() }.start(wait = true)
}

fun Application.depot() {
    install(ContentNegotiation) { jackson() }
    routing {
        route("/lines") {
            get { call.respondText("all lines") }
            route("/{number}") {
                get { call.respondText("line ${call.parameters["number"]!!.toInt()}") }
                post("/trams") {
                    val tram = call.receive<Tram>()
                    check(tram.seats <= 200) { "longer than the platform" }
                    call.respond(HttpStatusCode.Created, tram)
                }
                delete("/trams/{tram?}") { call.respond(HttpStatusCode.NoContent) }
            }
        }
        get("/tickets") {
            val zone = call.request.queryParameters["zone"]
            val device = call.request.header("X-Device")
            val crumb = call.request.cookies["crumb"]
            val status = if (zone == "harbour" || device == "gate" || crumb == "stale") HttpStatusCode.Gone else HttpStatusCode.OK
            call.respond(status)
        }
        put("/complaints") {
            val text = call.receiveParameters()["text"]
            check(text != "too late") { "nobody reads that" }
            call.respond(HttpStatusCode.Accepted)
        }
        get("/files/{path...}") { call.respondText("a file") }
    }
}
