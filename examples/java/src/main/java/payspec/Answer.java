package payspec;

import java.util.Optional;

/**
 * The unchanged answer of a call.
 *
 * @param accepted the body is valid, the status 2xx, the transition possible, …
 * @param json the answer's JSON
 */
public record Answer(boolean accepted, String json) {
    /**
     * A member as it is written: {@code member("body")} is what to send. Read and written again, a body may come out
     * with other numbers and escapes.
     */
    public Optional<String> member(String name) {
        return Json.member(json, name);
    }

    /** The text of a member that is a string. */
    public Optional<String> text(String name) {
        return member(name).filter(value -> value.startsWith("\"")).map(Json::unquote);
    }

    /** The status to answer with; of an outcome only. */
    public int status() {
        return Integer.parseInt(member("status").orElseThrow());
    }
}
