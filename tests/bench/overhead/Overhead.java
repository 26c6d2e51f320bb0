import java.nio.charset.StandardCharsets;
import payspec.Engine;

/** Prints nanoseconds for a verdict and for a report as text. native.c does the same in C. */
public final class Overhead {
    private static final int CALLS = 100_000;

    private Overhead() {}

    public static void main(String[] arguments) {
        byte[] body = "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}"
                .getBytes(StandardCharsets.UTF_8);
        try (Engine engine = new Engine()) {
            long verdict = best(() -> engine.accepts(body, null));
            long report = best(() -> engine.call("validate_request", body));
            System.out.println(verdict + " " + report);
        }
    }

    private static long best(Runnable run) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                run.run();
            }
            least = Math.min(least, (System.nanoTime() - start) / CALLS);
        }
        return least;
    }
}
