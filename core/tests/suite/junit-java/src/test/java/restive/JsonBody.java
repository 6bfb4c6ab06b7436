package restive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A JSON body, read by JSON pointers such as {@code /items/0/name}. */
final class JsonBody {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private final JsonNode root;

    private JsonBody(JsonNode root) {
        this.root = root;
    }

    /** The body of an answer. */
    static JsonBody of(Response response) {
        try {
            return new JsonBody(MAPPER.readTree(Service.text(response)));
        } catch (JsonProcessingException error) {
            throw new AssertionError("the body is not JSON: " + Service.text(response), error);
        }
    }

    /** The string at a pointer. */
    String text(String pointer) {
        return expect(isText(pointer), pointer, "a string").textValue();
    }

    /** The whole number at a pointer; 1.0 is one too. */
    long integer(String pointer) {
        return expect(isNumber(pointer), pointer, "a number").decimalValue().longValueExact();
    }

    /** The number at a pointer. */
    double decimal(String pointer) {
        return expect(isNumber(pointer), pointer, "a number").doubleValue();
    }

    /** The boolean at a pointer. */
    boolean bool(String pointer) {
        return expect(isBool(pointer), pointer, "a boolean").booleanValue();
    }

    /** The number of members of the array at a pointer. */
    int size(String pointer) {
        return expect(isArray(pointer), pointer, "an array").size();
    }

    /** The string, number or boolean at a pointer as text. */
    String scalar(String pointer) {
        JsonNode node = expect(root.at(pointer).isValueNode(), pointer, "a scalar");
        return node.isTextual() ? node.textValue() : node.toString();
    }

    /** The strings of the array at a pointer, sorted. */
    List<String> texts(String pointer) {
        List<String> texts = new ArrayList<>();
        root.at(pointer).forEach(member -> texts.add(member.textValue()));
        Collections.sort(texts);
        return expect(isArray(pointer), pointer, "an array") == null ? null : texts;
    }

    /** The whole numbers of the array at a pointer, sorted. */
    List<Long> integers(String pointer) {
        List<Long> integers = new ArrayList<>();
        root.at(pointer).forEach(member -> integers.add(member.decimalValue().longValueExact()));
        Collections.sort(integers);
        return expect(isArray(pointer), pointer, "an array") == null ? null : integers;
    }

    boolean isUuid(String pointer) {
        return isText(pointer) && text(pointer).matches("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$");
    }

    boolean isDateTime(String pointer) {
        return isText(pointer) && text(pointer).matches("^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$");
    }

    boolean isDate(String pointer) {
        return isText(pointer) && text(pointer).matches("^[0-9]{4}-[0-9]{2}-[0-9]{2}$");
    }

    boolean isDigits(String pointer) {
        return isText(pointer) && text(pointer).matches("^[0-9]+$");
    }

    boolean isHexadecimal(String pointer) {
        return isText(pointer) && text(pointer).matches("^[0-9A-Fa-f]{8,}$");
    }

    boolean isText(String pointer) {
        return root.at(pointer).isTextual();
    }

    boolean isNumber(String pointer) {
        return root.at(pointer).isNumber();
    }

    boolean isBool(String pointer) {
        return root.at(pointer).isBoolean();
    }

    boolean isArray(String pointer) {
        return root.at(pointer).isArray();
    }

    boolean isObject(String pointer) {
        return root.at(pointer).isObject();
    }

    boolean isNull(String pointer) {
        return root.at(pointer).isNull();
    }

    private JsonNode expect(boolean holds, String pointer, String wanted) {
        JsonNode node = root.at(pointer);
        if (!holds) {
            throw new AssertionError("wanted " + wanted + " at \"" + pointer + "\", found " + node);
        }
        return node;
    }
}
