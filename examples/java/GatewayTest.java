import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tests the gateway over HTTP. Bytes are sent as Latin-1, so that headers may contain any. */
public final class GatewayTest {
    private static final String BODY = "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}";
    private static int passed;
    private static int failed;

    private GatewayTest() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = Gateway.start("secret", 0);
        int port = server.getAddress().getPort();
        String key;
        String first;
        String again;
        int order = 7;
        long start;
        // A payment is replayed for one second, which a busy machine may exceed: then again with another key.
        do {
            start = System.nanoTime();
            key = "order-" + order++;
            first = post(port, BODY, "Bearer secret", "\"" + key + "\"");
            again = post(port, BODY, "Bearer secret", key);
        } while (System.nanoTime() - start > 1_000_000_000L && order < 30);
        check(first.startsWith("HTTP/1.1 201 ") && !first.contains("Idempotent-replayed"));
        check(again.startsWith("HTTP/1.1 201 ") && again.contains("Idempotent-replayed: true"));
        check(first.substring(first.indexOf("\r\n\r\n")).equals(again.substring(again.indexOf("\r\n\r\n"))));
        check(post(port, BODY.replace("990", "991"), "Bearer secret", key).startsWith("HTTP/1.1 409 "));
        for (String authorization : List.of("Bearer other", "Bearer a\u00ff", "\u00ff", "Basic x")) {
            String answer = post(port, BODY, authorization, "\u00ff");
            check(answer.startsWith("HTTP/1.1 401 ") && answer.contains("Www-authenticate: Bearer"));
        }
        for (String invalid : List.of("a\u00ff", "a b", "\"")) {
            check(post(port, BODY, "Bearer secret", invalid).startsWith("HTTP/1.1 400 "));
        }
        for (String body : List.of("", "\u00ff", "[]", "{".repeat(1000), "x".repeat(70_000), "x".repeat(100_000))) {
            check(List.of("400", "413", "422").contains(post(port, body, "Bearer secret", "k").substring(9, 12)));
        }
        System.out.println("tests: " + passed + " passed, " + failed + " failed");
        System.exit(failed);
    }

    private static String post(int port, String body, String authorization, String key) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request = "POST /v1/payments/new HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: " + authorization
                    + "\r\nIdempotency-Key: " + key + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void check(boolean holds) {
        if (holds) {
            passed++;
        } else {
            failed++;
            System.out.println("line " + StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst()).orElseThrow().getLineNumber());
        }
    }
}
