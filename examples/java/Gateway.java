import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import payspec.Answer;
import payspec.Authorization;
import payspec.CreateContext;
import payspec.Engine;
import payspec.Outcome;

/** A gateway with the server of the JDK: POST /v1/payments/new. */
public final class Gateway {
    /** More than the 65536 bytes of the default policy, which answers a longer body with 413. */
    private static final int MOST_BYTES = 1 << 17;

    private final Engine engine = new Engine();
    private final String token;
    /** In a database: a table with a unique key, and a transaction around the two statements. */
    private final Map<String, String> records = new HashMap<>();

    private Gateway(String token) {
        this.token = token;
    }

    /** Starts a server; the port 0 is a free one. */
    static HttpServer start(String token, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", new Gateway(token)::handle);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
        return server;
    }

    public static void main(String[] arguments) throws IOException {
        String token = System.getenv("PAYSPEC_TOKEN");
        if (token == null || token.isEmpty()) {
            System.err.println("PAYSPEC_TOKEN is not set");
            System.exit(2);
        }
        start(token, 8000);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!exchange.getRequestMethod().equals("POST") || !path.equals("/v1/payments/new")) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES);
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            Outcome outcome = newPayment(body, authorization, exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            outcome.wwwAuthenticate().ifPresent(value -> exchange.getResponseHeaders().set("WWW-Authenticate", value));
            if (outcome.replayed()) {
                exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            }
            exchange.sendResponseHeaders(outcome.status(), outcome.bytes().length);
            exchange.getResponseBody().write(outcome.bytes());
        }
    }

    private Outcome newPayment(byte[] body, String authorization, String keyHeader) {
        Answer credential = engine.authorize(authorization);
        if (!credential.accepted()) {
            return credential.outcome();
        }
        boolean accepted = MessageDigest.isEqual(utf8(credential.text("token").orElseThrow()), utf8(token));
        Authorization checked = Authorization.header(authorization, accepted);
        CreateContext context = CreateContext.of(UUID.randomUUID(), Instant.now(), checked).url("https://pay.example/");
        if (keyHeader == null || !accepted) {
            return engine.createPayment(body, context);
        }
        Answer parsed = engine.idempotencyKey(keyHeader);
        if (!parsed.accepted()) {
            return parsed.outcome();
        }
        String key = parsed.text("key").orElseThrow();
        synchronized (records) {
            Outcome outcome = engine.createPayment(body, context.idempotency(key, records.get(key)));
            outcome.record(context.now()).ifPresent(record -> records.put(key, record));
            return outcome;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
