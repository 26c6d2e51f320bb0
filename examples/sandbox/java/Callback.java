import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Receives the callbacks of a payment service. */
final class Callback {
    private static final long TOLERANCE_S = 300;
    private static final int MOST_BYTES = 65_536;

    private Callback() {}

    /**
     * Starts the server of a callback address. {@code take} gets the payment of each event, as JSON. It throws if the shop does
     * not know its {@code uid} yet, or cannot take it now.
     */
    static HttpServer start(String secret, Consumer<String> take) throws IOException {
        // A shop writes them to its database, in the transaction that changes the order.
        Set<String> seen = ConcurrentHashMap.newKeySet();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/callback", exchange -> {
            var body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
            int status;
            if (!exchange.getRequestMethod().equals("POST")) {
                status = 405;
            } else if (body.length > MOST_BYTES) {
                status = 413;
            } else {
                status = receive(exchange.getRequestHeaders(), body, secret, take, seen);
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static int receive(Headers headers, byte[] body, String secret, Consumer<String> take, Set<String> seen) {
        if (!isAuthentic(headers, body, secret, Instant.now().getEpochSecond())) {
            return 401;
        }
        var event = headers.getFirst("webhook-id");
        // A repeated event changes nothing.
        if (!seen.contains(event)) {
            try {
                take.accept(new String(body, StandardCharsets.UTF_8));
            } catch (RuntimeException error) {
                System.getLogger("callback").log(System.Logger.Level.ERROR, event, error);
                return 500; // the service sends the event again
            }
            seen.add(event);
        }
        return 204;
    }

    /** Returns whether the body was signed with the secret, at most 300 seconds before or after {@code now}. */
    static boolean isAuthentic(Headers headers, byte[] body, String secret, long now) {
        var event = headers.getFirst("webhook-id");
        var timestamp = headers.getFirst("webhook-timestamp");
        var signatures = headers.getFirst("webhook-signature");
        if (event == null || signatures == null || timestamp == null || !timestamp.matches("[0-9]{1,12}")) {
            return false;
        }
        if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_S) {
            return false;
        }
        var expected = sign(event + "." + timestamp + ".", body, secret);
        for (var signature : signatures.split(",? ")) {
            if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) {
                return true;
            }
        }
        return false;
    }

    private static byte[] sign(String prefix, byte[] body, String secret) {
        var signed = new ByteArrayOutputStream();
        signed.writeBytes(prefix.getBytes(StandardCharsets.UTF_8));
        signed.writeBytes(body);
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
            var digest = mac.doFinal(signed.toByteArray());
            return ("v1," + Base64.getEncoder().encodeToString(digest)).getBytes(StandardCharsets.UTF_8);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("HmacSHA256", error);
        }
    }
}
