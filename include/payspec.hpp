/*
 * payspec for C++17: a thin layer over payspec.h, header only. Memory frees itself; texts go in as std::string_view.
 *
 *     payspec::Engine engine;                             // or Engine(policy)
 *     payspec::Buffer report;                             // keep it: its memory is used again
 *     if (engine.validate_request(body, {}, report) == payspec::Verdict::rejected) std::cerr << report.view();
 *
 * Every operation on an input comes twice: with a Buffer for the answer, and without one, for the verdict alone.
 * Misuse throws payspec::Error, from this header and not from within the library: nothing is thrown through C.
 *
 * Engine: const calls from any number of threads at once. Buffer: one thread at a time. Both can be moved, not copied.
 * A moved-from Engine may only be assigned to or destroyed; a moved-from Buffer is an empty one.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PAYSPEC_HPP
#define PAYSPEC_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "payspec.h"

namespace payspec {

/// The answer says yes, or no.
enum class Verdict : std::int32_t {
    accepted = PAYSPEC_ACCEPTED,
    rejected = PAYSPEC_REJECTED,
};

/// Misuse, by PAYSPEC_ERROR_... numbers. what() is the library's JSON: {"error":{"code":…,"path":…,"message":…}}.
class Error : public std::runtime_error {
public:
    Error(std::int32_t number, const std::string &json) : std::runtime_error(json), number_(number) {}

    /// PAYSPEC_ERROR_ARGUMENT, _UTF8, _PANIC, _CONTEXT or _POLICY.
    std::int32_t number() const noexcept { return number_; }

private:
    std::int32_t number_;
};

/// A text of the library. It is replaced by each call that is given the buffer, in the same memory where it fits.
class Buffer {
public:
    Buffer() noexcept = default;
    ~Buffer() { payspec_buf_free(&buf_); }
    Buffer(Buffer &&other) noexcept : buf_(std::exchange(other.buf_, payspec_buf{nullptr, 0, 0})) {}
    Buffer &operator=(Buffer &&other) noexcept {
        if (this != &other) {
            payspec_buf_free(&buf_);
            buf_ = std::exchange(other.buf_, payspec_buf{nullptr, 0, 0});
        }
        return *this;
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    /// The text, valid until the buffer's next use.
    std::string_view view() const noexcept { return {c_str(), buf_.len}; }
    /// A copy of the text.
    std::string str() const { return std::string(view()); }
    /// The same with a NUL behind it.
    const char *c_str() const noexcept { return buf_.data ? buf_.data : ""; }
    bool empty() const noexcept { return buf_.len == 0; }
    /// For functions of payspec.h.
    payspec_buf *raw() noexcept { return &buf_; }

private:
    payspec_buf buf_{nullptr, 0, 0};
};

/// A policy, ready for use.
class Engine {
public:
    /// The default policy.
    Engine() : engine_(make(std::nullopt)) {}
    /// A policy as JSON. Throws Error where it is none.
    explicit Engine(std::string_view policy) : engine_(make(policy)) {}
    ~Engine() { payspec_engine_free(engine_); }
    Engine(Engine &&other) noexcept : engine_(std::exchange(other.engine_, nullptr)) {}
    Engine &operator=(Engine &&other) noexcept {
        if (this != &other) {
            payspec_engine_free(engine_);
            engine_ = std::exchange(other.engine_, nullptr);
        }
        return *this;
    }
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    /// Judges the body of POST /v1/payments/new. `now`, RFC 3339: the instant by which cards expire.
    Verdict validate_request(std::string_view body, std::optional<std::string_view> now, Buffer &out) const {
        return call(&out, payspec_validate_request, body, now);
    }
    Verdict validate_request(std::string_view body, std::optional<std::string_view> now = std::nullopt) const {
        return call(nullptr, payspec_validate_request, body, now);
    }

    /// The exact answer to POST /v1/payments/new.
    Verdict create_payment(std::string_view body, std::string_view context, Buffer &out) const {
        return call(&out, payspec_create_payment, body, context);
    }
    Verdict create_payment(std::string_view body, std::string_view context) const {
        return call(nullptr, payspec_create_payment, body, context);
    }

    /// The fingerprint of a request's body.
    Verdict fingerprint_request(std::string_view body, Buffer &out) const {
        return call(&out, payspec_fingerprint_request, body);
    }
    Verdict fingerprint_request(std::string_view body) const {
        return call(nullptr, payspec_fingerprint_request, body);
    }

    /// A body made safe to log.
    Verdict redact(std::string_view body, Buffer &out) const { return call(&out, payspec_redact, body); }
    Verdict redact(std::string_view body) const { return call(nullptr, payspec_redact, body); }

    /// Returns a text, safe to log.
    Verdict redact_text(std::string_view text, Buffer &out) const { return call(&out, payspec_redact_text, text); }
    Verdict redact_text(std::string_view text) const { return call(nullptr, payspec_redact_text, text); }

    /// Locates a value in a body by its JSON Pointer.
    Verdict locate(std::string_view body, std::string_view pointer, Buffer &out) const {
        return call(&out, payspec_locate, body, pointer);
    }
    Verdict locate(std::string_view body, std::string_view pointer) const {
        return call(nullptr, payspec_locate, body, pointer);
    }

    /// The exact answer to GET /v1/payments/{uid}/status.
    Verdict read_payment(std::string_view context, Buffer &out) const {
        return call(&out, payspec_read_payment, context);
    }
    Verdict read_payment(std::string_view context) const { return call(nullptr, payspec_read_payment, context); }

    /// The exact answer to GET /v1/partner/balance.
    Verdict read_balance(std::string_view context, Buffer &out) const {
        return call(&out, payspec_read_balance, context);
    }
    Verdict read_balance(std::string_view context) const { return call(nullptr, payspec_read_balance, context); }

    /// Judges a payment, and whether it answers a request.
    Verdict check_payment(std::string_view body, std::optional<std::string_view> request, Buffer &out) const {
        return call(&out, payspec_check_payment, body, request);
    }
    Verdict check_payment(std::string_view body, std::optional<std::string_view> request = std::nullopt) const {
        return call(nullptr, payspec_check_payment, body, request);
    }

    /// Tells which amount of a payment is in which currency.
    Verdict field_currencies(std::string_view body, Buffer &out) const {
        return call(&out, payspec_field_currencies, body);
    }
    Verdict field_currencies(std::string_view body) const { return call(nullptr, payspec_field_currencies, body); }

    /// Converts a fiat amount to USDT.
    Verdict convert(std::string_view context, Buffer &out) const { return call(&out, payspec_convert, context); }
    Verdict convert(std::string_view context) const { return call(nullptr, payspec_convert, context); }

    /// Moves a stored payment to another state.
    Verdict advance_payment(std::string_view context, Buffer &out) const {
        return call(&out, payspec_advance_payment, context);
    }
    Verdict advance_payment(std::string_view context) const { return call(nullptr, payspec_advance_payment, context); }

    /// Judges a step from one state to another.
    Verdict check_transition(std::string_view context, Buffer &out) const {
        return call(&out, payspec_check_transition, context);
    }
    Verdict check_transition(std::string_view context) const {
        return call(nullptr, payspec_check_transition, context);
    }

    /// Judges the value of an Authorization header; nothing: there was none.
    Verdict authorize(std::optional<std::string_view> header, Buffer &out) const {
        return call(&out, payspec_authorize, header);
    }
    Verdict authorize(std::optional<std::string_view> header = std::nullopt) const {
        return call(nullptr, payspec_authorize, header);
    }

    /// Judges a repeated idempotency key.
    Verdict check_idempotency(std::string_view context, Buffer &out) const {
        return call(&out, payspec_check_idempotency, context);
    }
    Verdict check_idempotency(std::string_view context) const {
        return call(nullptr, payspec_check_idempotency, context);
    }

    /// Returns the key in the value of an Idempotency-Key header.
    Verdict idempotency_key(std::string_view header, Buffer &out) const {
        return call(&out, payspec_idempotency_key, header);
    }
    Verdict idempotency_key(std::string_view header) const {
        return call(nullptr, payspec_idempotency_key, header);
    }

    /// Signs a webhook: the headers to send with the body.
    Verdict sign_webhook(std::string_view body, std::string_view context, Buffer &out) const {
        return call(&out, payspec_sign_webhook, body, context);
    }
    Verdict sign_webhook(std::string_view body, std::string_view context) const {
        return call(nullptr, payspec_sign_webhook, body, context);
    }

    /// Verifies the signature and the time of a received webhook.
    Verdict verify_webhook(std::string_view body, std::string_view context, Buffer &out) const {
        return call(&out, payspec_verify_webhook, body, context);
    }
    Verdict verify_webhook(std::string_view body, std::string_view context) const {
        return call(nullptr, payspec_verify_webhook, body, context);
    }

    /// Carries a request of the earlier interface over; kind is pay_in or pay_out.
    Verdict upgrade_request(std::string_view kind, std::string_view body, Buffer &out) const {
        return call(&out, payspec_upgrade_request, kind, body);
    }
    Verdict upgrade_request(std::string_view kind, std::string_view body) const {
        return call(nullptr, payspec_upgrade_request, kind, body);
    }

    /// Carries a payment of the earlier interface over.
    Verdict upgrade_payment(std::string_view body, Buffer &out) const {
        return call(&out, payspec_upgrade_payment, body);
    }
    Verdict upgrade_payment(std::string_view body) const { return call(nullptr, payspec_upgrade_payment, body); }

    /// Carries a payment over to the earlier interface.
    Verdict downgrade_payment(std::string_view body, Buffer &out) const {
        return call(&out, payspec_downgrade_payment, body);
    }
    Verdict downgrade_payment(std::string_view body) const { return call(nullptr, payspec_downgrade_payment, body); }

    /// What the digits typed so far say of a card.
    Verdict card_info(std::string_view digits, Buffer &out) const { return call(&out, payspec_card_info, digits); }
    Verdict card_info(std::string_view digits) const { return call(nullptr, payspec_card_info, digits); }

    /// The table of states.
    Verdict states(Buffer &out) const { return call(&out, payspec_states); }

    /// The catalogue of violation codes.
    Verdict rules(Buffer &out) const { return call(&out, payspec_rules); }

    /// The register of what the specification leaves open.
    Verdict decisions(Buffer &out) const { return call(&out, payspec_decisions); }

    /// An OpenAPI 3.1 document of the interface.
    Verdict openapi(Buffer &out) const { return call(&out, payspec_openapi); }

    /// For functions of payspec.h.
    const payspec_engine *raw() const noexcept { return engine_; }

private:
    // An input as C takes it. A string_view of nothing has no pointer, which to C would be an input that is missing.
    struct Text {
        Text(std::string_view text) noexcept : data(text.data() ? text.data() : ""), size(text.size()) {}
        Text(std::nullopt_t) noexcept : data(nullptr), size(0) {}
        Text(std::optional<std::string_view> text) noexcept : Text(text.value_or(std::string_view())) {
            if (!text) data = nullptr;
        }
        const char *data;
        std::size_t size;
    };

    static payspec_engine *make(Text policy) {
        payspec_engine *engine = nullptr;
        Buffer error;
        const std::int32_t number = payspec_engine_new(policy.data, policy.size, &engine, error.raw());
        if (number < 0) throw Error(number, error.str());
        return engine;
    }

    using Operation0 = std::int32_t(const payspec_engine *, payspec_buf *);
    using Operation1 = std::int32_t(const payspec_engine *, const char *, std::size_t, payspec_buf *);
    using Operation2 =
        std::int32_t(const payspec_engine *, const char *, std::size_t, const char *, std::size_t, payspec_buf *);

    Verdict call(Buffer *out, Operation0 *operation) const {
        return checked(out, [&](payspec_buf *buf) { return operation(engine_, buf); });
    }
    Verdict call(Buffer *out, Operation1 *operation, Text a) const {
        return checked(out, [&](payspec_buf *buf) { return operation(engine_, a.data, a.size, buf); });
    }
    Verdict call(Buffer *out, Operation2 *operation, Text a, Text b) const {
        return checked(out, [&](payspec_buf *buf) { return operation(engine_, a.data, a.size, b.data, b.size, buf); });
    }

    template <class Call>
    static Verdict checked(Buffer *out, Call operation) {
        const std::int32_t number = operation(out ? out->raw() : nullptr);
        if (number >= 0) return static_cast<Verdict>(number);
        if (out) throw Error(number, out->str());
        // Misuse without a buffer: once more, with one that tells why.
        Buffer reason;
        return checked(&reason, operation);
    }

    payspec_engine *engine_;
};

/// The version of the library that is linked.
inline std::string_view version() noexcept { return payspec_version(); }

/// Whether the library that is linked fits the header that was compiled with.
inline bool abi_matches() noexcept { return payspec_abi_version() == PAYSPEC_ABI_VERSION; }

}  // namespace payspec

#endif
