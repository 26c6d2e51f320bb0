package payspec;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Just enough JSON to write a context and to find a member in an answer. If your program has Jackson or Gson, read
 * {@link Answer#json} with that, and take a body to send from {@link Answer#member}.
 */
public final class Json {
    private Json() {}

    /**
     * {@return a JSON string: quoted and escaped}
     *
     * @param text the text
     */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                if (c == '"' || c == '\\') {
                    out.append('\\');
                }
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    /**
     * {@return a JSON string with a header of a client, or null} A lone surrogate becomes U+FFFD, which no token and no key
     * contains: the library answers 401 or 400.
     *
     * @param header the content of the header; null if the request has none
     */
    public static String quoteHeader(String header) {
        return header == null ? "null" : quote(new String(header.getBytes(StandardCharsets.UTF_16), StandardCharsets.UTF_16));
    }

    /**
     * {@return the text of a JSON string that the library wrote}
     *
     * @param json the object as JSON
     */
    public static String unquote(String json) {
        StringBuilder out = new StringBuilder();
        for (int i = 1; i < json.length() - 1; i++) {
            char c = json.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escape = json.charAt(++i);
            switch (escape) {
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'u' -> {
                    out.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> out.append(escape);
            }
        }
        return out.toString();
    }

    /**
     * {@return the unchanged JSON of a member of an object that the library wrote}
     *
     * @param object the object
     * @param name the name of the member
     */
    public static Optional<String> member(String object, String name) {
        // The index of the brace or comma before a name.
        for (int at = 0; at + 1 < object.length() && object.charAt(at + 1) == '"'; ) {
            int value = pastString(object, at + 1) + 1;
            int end = pastValue(object, value);
            if (object.substring(at + 2, value - 2).equals(name)) {
                return Optional.of(object.substring(value, end));
            }
            at = end;
        }
        return Optional.empty();
    }

    private static int pastString(String json, int at) {
        for (at++; json.charAt(at) != '"'; at++) {
            if (json.charAt(at) == '\\') {
                at++;
            }
        }
        return at + 1;
    }

    /** Returns the end of the value that starts at {@code at}: the index of the comma or bracket after it. */
    private static int pastValue(String json, int at) {
        for (int depth = 0; at < json.length(); at++) {
            switch (json.charAt(at)) {
                case '"' -> at = pastString(json, at) - 1;
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (depth-- == 0) {
                        return at;
                    }
                }
                case ',' -> {
                    if (depth == 0) {
                        return at;
                    }
                }
                default -> { }
            }
        }
        return at;
    }
}
