package restive

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.DeserializationFeature
import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper
import io.restassured.response.Response

/** A JSON body, read by JSON pointers such as `/items/0/name`. */
class JsonBody private constructor(private val root: JsonNode) {

    companion object {
        private val MAPPER = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build()

        /** The body of an answer. */
        fun of(response: Response): JsonBody = try {
            JsonBody(MAPPER.readTree(text(response)))
        } catch (error: JsonProcessingException) {
            throw AssertionError("the body is not JSON: ${text(response)}", error)
        }
    }

    /** The string at a pointer. */
    fun text(pointer: String): String = expect(pointer, "a string") { it.isTextual }.textValue()

    /** The whole number at a pointer; 1.0 is one too. */
    fun integer(pointer: String): Long = expect(pointer, "a number") { it.isNumber }.decimalValue().longValueExact()

    /** The number at a pointer. */
    fun decimal(pointer: String): Double = expect(pointer, "a number") { it.isNumber }.doubleValue()

    /** The boolean at a pointer. */
    fun boolean(pointer: String): Boolean = expect(pointer, "a boolean") { it.isBoolean }.booleanValue()

    /** The number of members of the array at a pointer. */
    fun size(pointer: String): Int = expect(pointer, "an array") { it.isArray }.size()

    /** The strings of the array at a pointer, sorted. */
    fun texts(pointer: String): List<String> = expect(pointer, "an array") { it.isArray }.map { it.textValue() }.sorted()

    /** The whole numbers of the array at a pointer, sorted. */
    fun integers(pointer: String): List<Long> =
        expect(pointer, "an array") { it.isArray }.map { it.decimalValue().longValueExact() }.sorted()

    /** The string, number or boolean at a pointer as text. */
    fun scalar(pointer: String): String {
        val node = expect(pointer, "a scalar") { it.isValueNode }
        return if (node.isTextual) node.textValue() else node.toString()
    }

    fun isText(pointer: String): Boolean = root.at(pointer).isTextual

    fun isNumber(pointer: String): Boolean = root.at(pointer).isNumber

    fun isBoolean(pointer: String): Boolean = root.at(pointer).isBoolean

    fun isArray(pointer: String): Boolean = root.at(pointer).isArray

    fun isObject(pointer: String): Boolean = root.at(pointer).isObject

    fun isNull(pointer: String): Boolean = root.at(pointer).isNull

    fun isUuid(pointer: String): Boolean = text(pointer).matches(Regex("""^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"""))

    fun isDateTime(pointer: String): Boolean = text(pointer).matches(Regex("""^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$"""))

    fun isDate(pointer: String): Boolean = text(pointer).matches(Regex("""^[0-9]{4}-[0-9]{2}-[0-9]{2}$"""))

    fun isDigits(pointer: String): Boolean = text(pointer).matches(Regex("""^[0-9]+$"""))

    fun isHexadecimal(pointer: String): Boolean = text(pointer).matches(Regex("""^[0-9A-Fa-f]{8,}$"""))

    private fun expect(pointer: String, wanted: String, holds: (JsonNode) -> Boolean): JsonNode {
        val node = root.at(pointer)
        return if (holds(node)) node else throw AssertionError("wanted $wanted at \"$pointer\", found $node")
    }
}
