#include <payspec.h>
#include <stdio.h>

int main(void) {
    static const char body[] =
        "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"-5\"}";
    payspec_engine *engine = NULL;
    payspec_buf report = {0};
    if (payspec_engine_new(NULL, 0, &engine, NULL) != PAYSPEC_ACCEPTED) return 2;
    int verdict = payspec_validate_request(engine, body, sizeof body - 1, NULL, 0, &report);
    printf("%d %s\n", verdict, report.data); /* 1 {"valid":false,…"code":"amount_syntax"…} */
    payspec_buf_free(&report);
    payspec_engine_free(engine);
    return verdict < 0;
}
