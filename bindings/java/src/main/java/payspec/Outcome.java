package payspec;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The response to send: a status and the exact body, a Payment or a problem (RFC 9457).
 *
 * @param status the status of the response
 * @param body the body as text; send {@link #bytes}
 * @param wwwAuthenticate the value of the header WWW-Authenticate, which a 401 has
 * @param replayed the body is the stored payment of a repeated request
 * @param fingerprint the fingerprint of the request, if the context has an idempotency key
 * @param warnings for the log, not for the client
 */
public record Outcome(int status, String body, Optional<String> wwwAuthenticate, boolean replayed,
        Optional<String> fingerprint, List<Violation> warnings) {
    static Outcome of(Answer answer) {
        List<?> warnings = answer.member("warnings").map(json -> (List<?>) JsonReader.read(json)).orElse(List.of());
        return new Outcome(answer.status(), answer.member("body").orElseThrow(), answer.text("www_authenticate"),
                answer.member("replayed").filter("true"::equals).isPresent(), answer.text("fingerprint"),
                warnings.stream().map(Violation::of).toList());
    }

    /** {@return true if the status is 2xx} */
    public boolean ok() {
        return status / 100 == 2;
    }

    /** {@return the body to send, byte for byte} */
    public byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    /** {@return the title of a problem; empty if the outcome is not one} */
    public Optional<String> title() {
        return ok() ? Optional.empty() : Json.member(body, "title").map(Json::unquote);
    }

    /**
     * {@return the record to store under the key of the request, as JSON} Pass it to
     * {@link CreateContext#idempotency} with the next request that has this key. Only a new payment that was created with
     * an idempotency key has one.
     *
     * @param now the time in the context
     */
    public Optional<String> record(Instant now) {
        if (!ok() || replayed) {
            return Optional.empty();
        }
        // The body is not encoded again: a replay returns the stored payment byte for byte.
        return fingerprint.map(text -> "{\"created_at\":" + Json.quote(now.toString())
                + ",\"fingerprint\":" + Json.quote(text) + ",\"payment\":" + body + "}");
    }

    /** Returns the status without the body, which a log must not contain. */
    @Override
    public String toString() {
        return "Outcome[status=" + status + ", replayed=" + replayed + "]";
    }
}
