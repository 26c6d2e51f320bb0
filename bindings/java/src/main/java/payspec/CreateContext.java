package payspec;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The context of {@link Engine#createPayment(byte[], CreateContext)}. It never changes: each method returns another one.
 *
 * <pre>{@code
 * CreateContext.of(UUID.randomUUID(), Instant.now(), Authorization.header(header, accepted))
 *         .idempotency(key, record)
 *         .url("https://pay.example/p/1")
 * }</pre>
 */
public final class CreateContext {
    private final Instant now;
    private final Map<String, String> members;

    private CreateContext(Instant now, Map<String, String> members) {
        this.now = now;
        this.members = members;
    }

    /**
     * {@return a context with the required members: a new UUID, the current time, and the credential of the request}
     *
     * @param uid the identifier of the payment
     * @param now the current time
     * @param authorization the result of the check of the token
     */
    public static CreateContext of(UUID uid, Instant now, Authorization authorization) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("uid", Json.quote(required(uid, "uid").toString()));
        members.put("now", Json.quote(required(now, "now").toString()));
        members.put("authorization", required(authorization, "authorization").json());
        return new CreateContext(now, members);
    }

    /**
     * {@return such a context for a time with an offset}
     *
     * @param uid the identifier of the payment
     * @param now the current time
     * @param authorization the result of the check of the token
     */
    public static CreateContext of(UUID uid, OffsetDateTime now, Authorization authorization) {
        return of(uid, required(now, "now").toInstant(), authorization);
    }

    /**
     * Adds the address at which the client completes the payment.
     *
     * @param url the address of the payment
     * @return the new context
     */
    public CreateContext url(String url) {
        return with("url", Json.quote(required(url, "url")));
    }

    /**
     * Adds the form of the payment page: {@code acquiring.card}.
     *
     * @param form the type of the form
     * @return the new context
     */
    public CreateContext form(String form) {
        return with("form", Json.quote(required(form, "form")));
    }

    /**
     * Adds the merchant for a body without merchant_id.
     *
     * @param merchantId the merchant of the token
     * @return the new context
     */
    public CreateContext merchantId(String merchantId) {
        return with("merchant_id", Json.quote(required(merchantId, "merchantId")));
    }

    /**
     * Adds the only values that merchant_id of the body may have.
     *
     * @param ids the merchants of the token
     * @return the new context
     */
    public CreateContext allowedMerchantIds(List<String> ids) {
        return with("allowed_merchant_ids", ids.stream().map(Json::quote).collect(Collectors.joining(",", "[", "]")));
    }

    /**
     * Adds the key of the request and the record that is stored under it.
     *
     * @param key as {@link Engine#idempotencyKey} returns it
     * @param record of {@link Outcome#record}; null if nothing is stored
     * @return the new context
     */
    public CreateContext idempotency(String key, String record) {
        String existing = record == null ? "null" : record;
        return with("idempotency", "{\"key\":" + Json.quoteHeader(required(key, "key")) + ",\"existing\":" + existing + "}");
    }

    /**
     * Adds the price of 1 USDT in a fiat currency, and its time.
     *
     * @param currency the code of the currency (ISO 4217)
     * @param rate the price of 1 USDT in the currency
     * @param asOf the time of the rate
     * @return the new context
     */
    public CreateContext quote(String currency, BigDecimal rate, Instant asOf) {
        return with("quote", quoteOf(currency, rate, asOf));
    }

    /**
     * Adds such a quote as JSON: {@code {"currency","rate","as_of"}}.
     *
     * @param json the object as JSON
     * @return the new context
     */
    public CreateContext quote(String json) {
        return with("quote", required(json, "json"));
    }

    /**
     * Adds the charges in the currency of the request; null is zero.
     *
     * @param fee the fee
     * @param commission the commission
     * @param sharedCommission the part of the commission shared between partners
     * @return the new context
     */
    public CreateContext charges(BigDecimal fee, BigDecimal commission, BigDecimal sharedCommission) {
        Map<String, String> charges = new LinkedHashMap<>();
        charges.put("fee", decimal(fee));
        charges.put("commission", decimal(commission));
        charges.put("shared_commission", decimal(sharedCommission));
        charges.values().removeIf(Objects::isNull);
        return with("charges", object(charges));
    }

    /**
     * Adds members of the answer's info, a JSON object, for host2host.
     *
     * @param json the object as JSON
     * @return the new context
     */
    public CreateContext info(String json) {
        return with("info", required(json, "json"));
    }

    /**
     * Declines the payment with 455 and this reason.
     *
     * @param reason the reason, which becomes the detail of the problem
     * @return the new context
     */
    public CreateContext refusal(String reason) {
        return with("refusal", Json.quote(required(reason, "reason")));
    }

    /** {@return the time, for {@link Outcome#record}} */
    public Instant now() {
        return now;
    }

    /** {@return the context as JSON} It contains the Authorization header. */
    public String json() {
        return object(members);
    }

    /** Returns the names of its members without their values. */
    @Override
    public String toString() {
        return "CreateContext" + members.keySet();
    }

    static String quoteOf(String currency, BigDecimal rate, Instant asOf) {
        return "{\"currency\":" + Json.quote(required(currency, "currency")) + ",\"rate\":" + decimal(required(rate, "rate"))
                + ",\"as_of\":" + Json.quote(required(asOf, "asOf").toString()) + "}";
    }

    static String decimal(BigDecimal value) {
        return value == null ? null : Json.quote(value.toPlainString());
    }

    static String object(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> Json.quote(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    static <T> T required(T value, String name) {
        return Objects.requireNonNull(value, () -> name + " must not be null");
    }

    private CreateContext with(String name, String json) {
        Map<String, String> copy = new LinkedHashMap<>(members);
        copy.put(name, json);
        return new CreateContext(now, copy);
    }
}
