#include <payspec.h>
#include <stdio.h>

int main(void) {
    static const char body[] =
        "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}";
    payspec_engine *engine = NULL;
    if (payspec_engine_new(NULL, 0, &engine, NULL) != PAYSPEC_ACCEPTED) return 2;
    int verdict = payspec_validate_request(engine, body, sizeof body - 1, NULL, 0, NULL);
    payspec_engine_free(engine);
    puts(verdict == PAYSPEC_ACCEPTED ? "accepted" : "rejected");
    return verdict;
}
