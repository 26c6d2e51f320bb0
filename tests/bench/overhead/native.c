/* Prints nanoseconds for a verdict and for a report, called from C: what the other programs are compared with. */
#include <payspec.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char BODY[] =
    "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}";
enum { CALLS = 200000 };

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(void) {
    payspec_engine *engine = NULL;
    payspec_buf report = {0};
    if (payspec_engine_new(NULL, 0, &engine, NULL) != PAYSPEC_ACCEPTED) return 1;
    double best[2] = {1e18, 1e18};
    for (int round = 0; round < 5; round++) {
        for (int kind = 0; kind < 2; kind++) {
            double start = now();
            for (int i = 0; i < CALLS; i++) {
                if (payspec_validate_request(engine, BODY, strlen(BODY), NULL, 0, kind ? &report : NULL) != 0) return 1;
            }
            double time = (now() - start) / CALLS;
            if (time < best[kind]) best[kind] = time;
        }
    }
    printf("%.0f %.0f\n", best[0], best[1]);
    payspec_buf_free(&report);
    payspec_engine_free(engine);
    return 0;
}
