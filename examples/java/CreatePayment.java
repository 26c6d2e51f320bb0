import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import payspec.Answer;
import payspec.Authorization;
import payspec.CreateContext;
import payspec.Engine;
import payspec.Outcome;
import payspec.PayspecException;

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
        } catch (PayspecException | IllegalArgumentException | DateTimeException error) {
            System.err.println("create_payment: " + error.getMessage());
        }
        System.exit(2);
    }

    private static int run(Map<String, String> given) throws IOException {
        String token = System.getenv("PAYSPEC_TOKEN");
        String header = System.getenv("PAYSPEC_AUTHORIZATION");
        if (token == null || token.isEmpty()) {
            throw new IllegalArgumentException("PAYSPEC_TOKEN is not set");
        }
        byte[] body = System.in.readNBytes(MOST_BYTES + 1);
        String policy = given.containsKey("policy") ? Files.readString(Path.of(given.get("policy"))) : null;
        try (Engine engine = new Engine(policy)) {
            Answer credential = engine.authorize(header);
            Outcome outcome;
            if (!credential.accepted()) {
                outcome = credential.outcome();
            } else {
                boolean accepted = MessageDigest.isEqual(utf8(credential.text("token").orElseThrow()), utf8(token));
                CreateContext context = context(given, Authorization.header(header, accepted));
                outcome = accepted ? create(engine, given, context, body) : engine.createPayment(body, context);
            }
            respond(outcome);
            return outcome.ok() ? 0 : 1;
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
    private static CreateContext context(Map<String, String> given, Authorization authorization) throws IOException {
        UUID uid = given.containsKey("uid") ? uid(given.get("uid")) : UUID.randomUUID();
        Instant now = given.containsKey("now") ? OffsetDateTime.parse(given.get("now")).toInstant() : Instant.now();
        CreateContext context = CreateContext.of(uid, now, authorization);
        if (given.containsKey("url")) {
            context = context.url(given.get("url"));
        }
        if (given.containsKey("quote")) {
            context = context.quote(Files.readString(Path.of(given.get("quote"))));
        }
        return context;
    }

    private static UUID uid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException error) {
            throw new IllegalArgumentException("context error at /uid: expected a UUID", error);
        }
    }

    /** Creates the payment of an accepted request. Saves it under its key for the next request with this key. */
    private static Outcome create(Engine engine, Map<String, String> given, CreateContext context, byte[] body)
            throws IOException {
        CreateContext complete = context;
        Path record = given.containsKey("record") ? Path.of(given.get("record")) : null;
        if (given.containsKey("key")) {
            Answer key = engine.idempotencyKey(given.get("key"));
            if (!key.accepted()) {
                return key.outcome();
            }
            // A gateway stores this in its database, under a unique key.
            boolean known = record != null && Files.exists(record);
            complete = context.idempotency(key.text("key").orElseThrow(), known ? Files.readString(record) : null);
        }
        Outcome outcome = engine.createPayment(body, complete);
        // A longer body was not read completely: only 413 does not depend on the rest.
        if (body.length > MOST_BYTES && outcome.status() != 413) {
            throw new IllegalArgumentException("the body is longer than 1 MiB");
        }
        Optional<String> created = outcome.record(complete.now());
        if (created.isPresent() && record != null) {
            Files.writeString(record, created.get());
        }
        return outcome;
    }

    /** Prints the outcome as HTTP, with its body unchanged. */
    private static void respond(Outcome outcome) throws IOException {
        StringBuilder head = new StringBuilder();
        head.append("HTTP/1.1 ").append(outcome.status()).append(' ').append(outcome.title().orElse("Created")).append("\r\n");
        head.append("Content-Type: application/json\r\n");
        head.append("Content-Length: ").append(outcome.bytes().length).append("\r\n");
        outcome.wwwAuthenticate().ifPresent(value -> head.append("WWW-Authenticate: ").append(value).append("\r\n"));
        PrintStream out = System.out;
        out.write(utf8(head.append("\r\n").toString()));
        out.write(outcome.bytes());
        out.flush();
        if (out.checkError()) {
            throw new IOException("standard output");
        }
        outcome.warnings().forEach(warning -> System.err.println("warning: " + warning.path() + ": " + warning.message()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
