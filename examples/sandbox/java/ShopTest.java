import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that pay with the sandbox: no test waits, since the clock is the test's. */
@ExtendWith(Sandbox.class)
class ShopTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static HttpResponse<String> pay(Sandbox.Merchant merchant, String order, String members) throws Exception {
        var body = "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"bank_card\",\"cur\":\"RUB\"," + members + "}";
        var request = HttpRequest.newBuilder(URI.create(merchant.api() + "/v1/payments/new"))
            .header("Authorization", "Bearer " + merchant.token())
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", order)
            .POST(HttpRequest.BodyPublishers.ofString(body));
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String state(Sandbox.Merchant merchant, String uid) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(merchant.api() + "/v1/payments/" + uid + "/status"))
            .header("Authorization", "Bearer " + merchant.token());
        return Sandbox.member(CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString()).body(), "state");
    }

    @Test
    void success(Sandbox.Merchant merchant) throws Exception {
        var uid = Sandbox.member(pay(merchant, "order-1", "\"amount\":\"1500.00\"").body(), "uid");
        assertEquals("idle", state(merchant, uid));
        merchant.advance(2000);
        assertEquals("completed", state(merchant, uid));
    }

    @Test
    void decline(Sandbox.Merchant merchant) throws Exception {
        merchant.nextPayment("fail_insufficient_funds");
        var uid = Sandbox.member(pay(merchant, "order-1", "\"amount\":\"1500.00\"").body(), "uid");
        merchant.advance(2000);
        assertEquals("fail", state(merchant, uid));
        merchant.failNext("{\"status\":455}");
        assertEquals(455, pay(merchant, "order-2", "\"amount\":\"1500.00\"").statusCode());
    }

    @Test
    void challenge(Sandbox.Merchant merchant) throws Exception {
        merchant.nextPayment("challenge");
        var uid = Sandbox.member(pay(merchant, "order-1", "\"amount\":\"1500.00\"").body(), "uid");
        merchant.advance(1000);
        assertEquals("completed", merchant.answerChallenge(uid, "passed"));
        assertEquals("completed", state(merchant, uid));
    }

    @Test
    void timeout(Sandbox.Merchant merchant) throws Exception {
        merchant.nextPayment("pending");
        var members = "\"amount\":\"1500.00\",\"time_to_complete_payment\":600";
        var uid = Sandbox.member(pay(merchant, "order-1", members).body(), "uid");
        merchant.advance(600_000);
        assertEquals("cancel", state(merchant, uid));
    }

    @Test
    void duplicateRequest(Sandbox.Merchant merchant) throws Exception {
        var first = pay(merchant, "order-1", "\"amount\":\"1500.00\"");
        merchant.advance(1000);
        assertEquals(first.body(), pay(merchant, "order-1", "\"amount\":\"1500.00\"").body());
        merchant.advance(1);
        assertEquals(409, pay(merchant, "order-1", "\"amount\":\"1500.00\"").statusCode());
    }

    @Test
    void webhook(Sandbox.Merchant merchant) throws Exception {
        List<String> states = new CopyOnWriteArrayList<>();
        var server = Callback.start(merchant.webhookSecret(), payment -> states.add(Sandbox.member(payment, "state")));
        var members = "\"amount\":\"1500.00\",\"callback\":\"" + address(server) + "\"";
        var uid = Sandbox.member(pay(merchant, "order-1", members).body(), "uid");
        merchant.advance(2000);
        assertEquals(List.of("routed", "completed"), states);
        var deliveries = merchant.deliveries(uid);
        assertTrue(deliveries.contains("webhook-signature"));
        merchant.repeat(Sandbox.member(deliveries, "event"));
        server.stop(0);
        assertEquals(List.of("routed", "completed"), states, "an event that was seen changes nothing");
    }

    @Test
    void webhookThatIsWrongOrOld(Sandbox.Merchant merchant) throws Exception {
        List<String> states = new CopyOnWriteArrayList<>();
        var server = Callback.start(merchant.webhookSecret(), states::add);
        assertEquals(401, post(server, "whsec_AAAA", 0), "another secret");
        assertEquals(401, post(server, merchant.webhookSecret(), 310));
        assertEquals(401, post(server, merchant.webhookSecret(), -310));
        assertEquals(List.of(), states);
        assertEquals(204, post(server, merchant.webhookSecret(), 290));
        server.stop(0);
        assertEquals(List.of("{\"state\":\"completed\"}"), states);
    }

    @Test
    void callbackThatIsLongOrNoPost() throws Exception {
        var server = Callback.start("whsec_AAAA", payment -> { });
        var request = HttpRequest.newBuilder(URI.create(address(server)));
        var body = HttpRequest.BodyPublishers.ofString(" ".repeat(65_537));
        assertEquals(413, CLIENT.send(request.POST(body).build(), HttpResponse.BodyHandlers.discarding()).statusCode());
        assertEquals(405, CLIENT.send(request.GET().build(), HttpResponse.BodyHandlers.discarding()).statusCode());
        server.stop(0);
    }

    private static String address(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/callback";
    }

    /** Signs and sends a callback, and returns the status of the answer. */
    private static int post(HttpServer server, String secret, long age) throws Exception {
        var body = "{\"state\":\"completed\"}";
        var timestamp = String.valueOf(Instant.now().getEpochSecond() - age);
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        var signature = mac.doFinal(("evt_1." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
        var request = HttpRequest.newBuilder(URI.create(address(server)))
            .header("webhook-id", "evt_1")
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", "v1," + Base64.getEncoder().encodeToString(signature))
            .POST(HttpRequest.BodyPublishers.ofString(body));
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test
    void mistakesAreNamed(Sandbox.Merchant merchant) {
        var error = assertThrows(IllegalArgumentException.class, () -> merchant.failNext("{\"status\":200}"));
        assertEquals("status: expected an integer from 400 to 599", error.getMessage());
    }
}
