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
     * {@return the unchanged JSON of a member: send {@code member("body")}} A body that is parsed and written again may
     * have other numbers and escapes.
     *
     * @param name the name of the member
     */
    public Optional<String> member(String name) {
        return Json.member(json, name);
    }

    /**
     * {@return the text of a member that is a string}
     *
     * @param name the name of the member
     */
    public Optional<String> text(String name) {
        return member(name).filter(value -> value.startsWith("\"")).map(Json::unquote);
    }

    /** {@return the response to send, if the answer is an outcome: a key or a header that is rejected} */
    public Outcome outcome() {
        return Outcome.of(this);
    }

    /** Returns the length of the JSON: its text may contain what a log must not. */
    @Override
    public String toString() {
        return "Answer[accepted=" + accepted + ", json of " + json.length() + " characters]";
    }

    /** {@return the status to send, if the answer is an outcome} */
    public int status() {
        return Integer.parseInt(member("status").orElseThrow());
    }
}
