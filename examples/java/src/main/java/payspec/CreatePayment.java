package payspec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Answers POST /v1/payments/new: the request's body on standard input, the HTTP answer on standard output.
 *
 * <p>Exit code: 0 for a success, 1 for a problem that the client gets, 2 for a caller error.
 */
public final class CreatePayment {
    private static final String USAGE = """
            usage: CreatePayment [--key K] [--record FILE] [--quote FILE] [--policy FILE] [--url U] [--uid U] [--now T]
              --key K        the request's Idempotency-Key header
              --record FILE  what is stored under the key; written if new
              --quote FILE   for CRYPTO: {"currency", "rate", "as_of"}
              --policy FILE  the policy
              --url U        where the client completes the payment
              --uid U        the payment's uid; a new one without it
              --now T        the time, RFC 3339; the clock's without it
            PAYSPEC_AUTHORIZATION: the request's Authorization header. PAYSPEC_TOKEN: the token that is accepted.
            Exit code: 0 for a success, 1 for a problem, 2 for a caller error.
            """;

    private static final List<String> OPTIONS =
            List.of("--key", "--record", "--quote", "--policy", "--url", "--uid", "--now");

    /** Well over the 65536 bytes of the default policy. A longer body is rejected even if the policy allows it. */
    private static final int MOST_BYTES = 1 << 20;

    private CreatePayment() {}

    public static void main(String[] arguments) {
        if (arguments.length == 1 && arguments[0].equals("--help")) {
            System.out.print(USAGE);
            return;
        }
        try {
            System.exit(run(options(arguments)));
        } catch (IOException error) {
            System.err.println("create_payment: not to be read or written: " + error.getMessage());
        } catch (PayspecException | IllegalArgumentException error) {
            System.err.println("create_payment: " + error.getMessage());
        } catch (LinkageError error) {
            System.err.println("create_payment: the library cannot be loaded: " + error.getMessage());
        }
        System.exit(2);
    }

    private static int run(Map<String, String> given) throws IOException {
        String token = System.getenv("PAYSPEC_TOKEN");
        String header = System.getenv("PAYSPEC_AUTHORIZATION");
        if (token == null || token.isEmpty()) {
            throw new IllegalArgumentException("PAYSPEC_TOKEN is not set");
        }
        String now = given.getOrDefault("now", Instant.now().toString());
        byte[] body = System.in.readNBytes(MOST_BYTES + 1);
        String policy = given.containsKey("policy") ? Files.readString(Path.of(given.get("policy"))) : null;
        try (Engine engine = new Engine(policy)) {
            Answer answer = engine.authorize(header);
            if (answer.accepted()) {
                boolean accepted = MessageDigest.isEqual(utf8(answer.text("token").orElseThrow()), utf8(token));
                answer = engine.createPayment(body, context(given, now, header, accepted));
                // A longer body was not read completely: only 413 and 401 do not depend on the rest.
                if (body.length > MOST_BYTES && answer.status() != 413 && answer.status() != 401) {
                    throw new IllegalArgumentException("the body is longer than 1 MiB");
                }
                if (answer.accepted() && given.containsKey("key") && given.containsKey("record")) {
                    store(Path.of(given.get("record")), now, answer);
                }
            }
            respond(answer);
            return answer.accepted() ? 0 : 1;
        }
    }

    private static Map<String, String> options(String[] arguments) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!OPTIONS.contains(arguments[i]) || i + 1 == arguments.length) {
                throw new IllegalArgumentException("see --help for its options");
            }
            given.put(arguments[i].substring(2), arguments[i + 1]);
        }
        return given;
    }

    /** Returns the context: identity, time, credential, price. */
    private static String context(Map<String, String> given, String now, String header, boolean accepted)
            throws IOException {
        StringBuilder out = new StringBuilder("{\"uid\":");
        out.append(Json.quote(given.getOrDefault("uid", UUID.randomUUID().toString())));
        out.append(",\"now\":").append(Json.quote(now));
        out.append(",\"authorization\":{\"header\":").append(Json.quote(header));
        out.append(",\"accepted\":").append(accepted).append('}');
        if (given.containsKey("url")) {
            out.append(",\"url\":").append(Json.quote(given.get("url")));
        }
        if (given.containsKey("quote")) {
            out.append(",\"quote\":").append(Files.readString(Path.of(given.get("quote"))));
        }
        if (given.containsKey("key")) {
            // A gateway stores this in its database, under a unique key.
            Path record = given.containsKey("record") ? Path.of(given.get("record")) : null;
            boolean known = record != null && Files.exists(record);
            out.append(",\"idempotency\":{\"key\":").append(Json.quote(given.get("key")));
            out.append(",\"existing\":").append(known ? Files.readString(record) : "null").append('}');
        }
        return out.append('}').toString();
    }

    /** Saves a new payment under its key for the next request with this key. */
    private static void store(Path record, String now, Answer answer) throws IOException {
        if (answer.member("replayed").orElse("").equals("false")) {
            Files.writeString(record, "{\"created_at\":" + Json.quote(now)
                    + ",\"fingerprint\":" + answer.member("fingerprint").orElseThrow()
                    + ",\"payment\":" + answer.member("body").orElseThrow() + "}");
        }
    }

    /** Prints the outcome as HTTP, with its body unchanged. */
    private static void respond(Answer answer) throws IOException {
        String body = answer.member("body").orElseThrow();
        String reason = answer.accepted() ? "Created" : Json.unquote(Json.member(body, "title").orElseThrow());
        StringBuilder head = new StringBuilder();
        head.append("HTTP/1.1 ").append(answer.status()).append(' ').append(reason).append("\r\n");
        head.append("Content-Type: application/json\r\n");
        head.append("Content-Length: ").append(utf8(body).length).append("\r\n");
        answer.text("www_authenticate").ifPresent(value ->
                head.append("WWW-Authenticate: ").append(value).append("\r\n"));
        PrintStream out = System.out;
        out.write(utf8(head.append("\r\n").append(body).toString()));
        out.flush();
        if (out.checkError()) {
            throw new IOException("standard output");
        }
        answer.member("warnings").ifPresent(warnings -> System.err.println("warnings: " + warnings));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
