package payspec;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON that the library wrote into maps, lists, texts and numbers; throws if it is not JSON. */
final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        if (reader.peek() != 0) {
            throw reader.invalid();
        }
        return value;
    }

    private Object value() {
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            default:
                return word();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        while (peek() != '}') {
            String name = string();
            expect(':');
            members.put(name, value());
            if (peek() != '}') {
                expect(',');
            }
        }
        expect('}');
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        expect('[');
        while (peek() != ']') {
            elements.add(value());
            if (peek() != ']') {
                expect(',');
            }
        }
        expect(']');
        return elements;
    }

    private String string() {
        expect('"');
        int start = at - 1;
        while (text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
        return Json.unquote(text.substring(start, at));
    }

    private Object word() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> new BigDecimal(word);
        };
    }

    /** Returns the next character after whitespace, 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void expect(char expected) {
        if (peek() != expected) {
            throw invalid();
        }
        at++;
    }

    private IllegalArgumentException invalid() {
        return new IllegalArgumentException("no JSON at " + at);
    }
}
