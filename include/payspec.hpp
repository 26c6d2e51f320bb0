/*
 * payspec for C++17: a thin, header-only layer over payspec.h. It frees memory; inputs are std::string_view.
 *
 *     payspec::Engine engine;                             // or Engine(policy)
 *     payspec::Buffer report;                             // keep it: its memory is reused
 *     if (engine.validate_request(body, {}, report) == payspec::Verdict::rejected) std::cerr << report.view();
 *
 * Every operation with an input has two overloads: with a Buffer for the answer, and without, for only the verdict.
 * If a call fails, payspec::Error is thrown, by this header and not by the library: no exception passes through C.
 *
 * Engine: const calls from any number of threads at the same time. Buffer: one thread at a time. Both can be moved, not
 * copied. A moved-from Engine may only be assigned to or destroyed; a moved-from Buffer is empty.
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
#include <vector>

#include "payspec.h"

namespace payspec {

/// The verdict of an operation.
enum class Verdict : std::int32_t {
    accepted = PAYSPEC_ACCEPTED,
    rejected = PAYSPEC_REJECTED,
};

/// A call that failed. what() returns the JSON of the library: {"error":{"code":…,"path":…,"message":…}}.
class Error : public std::runtime_error {
public:
    Error(std::int32_t number, const std::string &json) : std::runtime_error(json), number_(number) {}

    /// Returns the code: PAYSPEC_ERROR_ARGUMENT, _UTF8, _PANIC, _CONTEXT, or _POLICY.
    std::int32_t number() const noexcept { return number_; }

private:
    std::int32_t number_;
};

/// A buffer for answers. Each call with it replaces the text, and reuses the memory if it is large enough.
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

    /// Returns the text, which is valid until the next use of the buffer.
    std::string_view view() const noexcept { return {c_str(), buf_.len}; }
    /// Returns a copy of the text.
    std::string str() const { return std::string(view()); }
    /// Returns the NUL-terminated text, which is valid until the next use of the buffer.
    const char *c_str() const noexcept { return buf_.data ? buf_.data : ""; }
    bool empty() const noexcept { return buf_.len == 0; }
    /// Returns the pointer for the functions of payspec.h.
    payspec_buf *raw() noexcept { return &buf_; }

private:
    payspec_buf buf_{nullptr, 0, 0};
};

/// The answers of a batch, in the order of the bodies. Each batch with it replaces them, and reuses the memory.
class Answers {
public:
    std::size_t size() const noexcept { return returns_.size(); }
    bool empty() const noexcept { return returns_.empty(); }

    /// Returns the text of an answer, which is valid until the next use. `index` is less than size().
    std::string_view operator[](std::size_t index) const noexcept {
        const auto start = static_cast<std::size_t>(ends_[index]);
        return out_.view().substr(start, static_cast<std::size_t>(ends_[index + 1]) - start);
    }

    /// Returns the verdict on a body. Throws Error if the library panicked, which is a bug in it.
    Verdict verdict(std::size_t index) const {
        const std::int8_t number = returns_[index];
        if (number < 0) throw Error(number, std::string((*this)[index]));
        return static_cast<Verdict>(number);
    }

private:
    friend class Engine;
    Buffer out_;
    std::vector<std::int8_t> returns_;
    std::vector<std::int64_t> ends_;
};

/// An engine: a policy, prepared for use.
class Engine {
public:
    /// Creates an engine with the default policy.
    Engine() : engine_(make(std::nullopt)) {}
    /// Creates an engine with a policy as JSON. Throws Error if the policy is invalid.
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

    /// Validates the body of POST /v1/payments/new. If `now` (RFC 3339) is given, expired cards are detected.
    Verdict validate_request(std::string_view body, std::optional<std::string_view> now, Buffer &out) const {
        return call(&out, payspec_validate_request, body, now);
    }
    Verdict validate_request(std::string_view body, std::optional<std::string_view> now = std::nullopt) const {
        return call(nullptr, payspec_validate_request, body, now);
    }

    /// Returns the exact outcome of POST /v1/payments/new.
    Verdict create_payment(std::string_view body, std::string_view context, Buffer &out) const {
        return call(&out, payspec_create_payment, body, context);
    }
    Verdict create_payment(std::string_view body, std::string_view context) const {
        return call(nullptr, payspec_create_payment, body, context);
    }

    /// Returns the fingerprint of the body of a request.
    Verdict fingerprint_request(std::string_view body, Buffer &out) const {
        return call(&out, payspec_fingerprint_request, body);
    }
    Verdict fingerprint_request(std::string_view body) const {
        return call(nullptr, payspec_fingerprint_request, body);
    }

    /// Returns a body in a form that is safe to log.
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

    /// Returns the exact outcome of GET /v1/payments/{uid}/status.
    Verdict read_payment(std::string_view context, Buffer &out) const {
        return call(&out, payspec_read_payment, context);
    }
    Verdict read_payment(std::string_view context) const { return call(nullptr, payspec_read_payment, context); }

    /// Returns the exact outcome of GET /v1/partner/balance.
    Verdict read_balance(std::string_view context, Buffer &out) const {
        return call(&out, payspec_read_balance, context);
    }
    Verdict read_balance(std::string_view context) const { return call(nullptr, payspec_read_balance, context); }

    /// Validates a payment, and checks that it matches the request if one is given.
    Verdict check_payment(std::string_view body, std::optional<std::string_view> request, Buffer &out) const {
        return call(&out, payspec_check_payment, body, request);
    }
    Verdict check_payment(std::string_view body, std::optional<std::string_view> request = std::nullopt) const {
        return call(nullptr, payspec_check_payment, body, request);
    }

    /// Returns the currency of each amount of a payment.
    Verdict field_currencies(std::string_view body, Buffer &out) const {
        return call(&out, payspec_field_currencies, body);
    }
    Verdict field_currencies(std::string_view body) const { return call(nullptr, payspec_field_currencies, body); }

    /// Converts a fiat amount to USDT.
    Verdict convert(std::string_view context, Buffer &out) const { return call(&out, payspec_convert, context); }
    Verdict convert(std::string_view context) const { return call(nullptr, payspec_convert, context); }

    /// Applies a transition to a stored payment.
    Verdict advance_payment(std::string_view context, Buffer &out) const {
        return call(&out, payspec_advance_payment, context);
    }
    Verdict advance_payment(std::string_view context) const { return call(nullptr, payspec_advance_payment, context); }

    /// Checks a transition between two states.
    Verdict check_transition(std::string_view context, Buffer &out) const {
        return call(&out, payspec_check_transition, context);
    }
    Verdict check_transition(std::string_view context) const {
        return call(nullptr, payspec_check_transition, context);
    }

    /// Parses the value of an Authorization header; std::nullopt if the request has no such header.
    Verdict authorize(std::optional<std::string_view> header, Buffer &out) const {
        return call(&out, payspec_authorize, header);
    }
    Verdict authorize(std::optional<std::string_view> header = std::nullopt) const {
        return call(nullptr, payspec_authorize, header);
    }

    /// Compares a request with the record stored under its idempotency key.
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

    /// Migrates a request of the legacy API; kind is pay_in or pay_out.
    Verdict upgrade_request(std::string_view kind, std::string_view body, Buffer &out) const {
        return call(&out, payspec_upgrade_request, kind, body);
    }
    Verdict upgrade_request(std::string_view kind, std::string_view body) const {
        return call(nullptr, payspec_upgrade_request, kind, body);
    }

    /// Migrates a request to the legacy API.
    Verdict downgrade_request(std::string_view body, Buffer &out) const {
        return call(&out, payspec_downgrade_request, body);
    }
    Verdict downgrade_request(std::string_view body) const { return call(nullptr, payspec_downgrade_request, body); }

    /// Migrates a balance of the legacy API.
    Verdict upgrade_balance(std::string_view body, Buffer &out) const {
        return call(&out, payspec_upgrade_balance, body);
    }
    Verdict upgrade_balance(std::string_view body) const { return call(nullptr, payspec_upgrade_balance, body); }

    /// Migrates a balance to the legacy API.
    Verdict downgrade_balance(std::string_view body, Buffer &out) const {
        return call(&out, payspec_downgrade_balance, body);
    }
    Verdict downgrade_balance(std::string_view body) const { return call(nullptr, payspec_downgrade_balance, body); }

    /// Migrates a payment of the legacy API.
    Verdict upgrade_payment(std::string_view body, Buffer &out) const {
        return call(&out, payspec_upgrade_payment, body);
    }
    Verdict upgrade_payment(std::string_view body) const { return call(nullptr, payspec_upgrade_payment, body); }

    /// Migrates a payment to the legacy API.
    Verdict downgrade_payment(std::string_view body, Buffer &out) const {
        return call(&out, payspec_downgrade_payment, body);
    }
    Verdict downgrade_payment(std::string_view body) const { return call(nullptr, payspec_downgrade_payment, body); }

    /// Returns the scheme and the format of a card from the digits typed so far.
    Verdict card_info(std::string_view digits, Buffer &out) const { return call(&out, payspec_card_info, digits); }
    Verdict card_info(std::string_view digits) const { return call(nullptr, payspec_card_info, digits); }

    /// Returns the table of states.
    Verdict states(Buffer &out) const { return call(&out, payspec_states); }

    /// Returns the catalog of violation codes.
    Verdict rules(Buffer &out) const { return call(&out, payspec_rules); }

    /// Returns the decision register.
    Verdict decisions(Buffer &out) const { return call(&out, payspec_decisions); }

    /// Returns an OpenAPI 3.1 document of the interface.
    Verdict openapi(Buffer &out) const { return call(&out, payspec_openapi); }

    /// Runs an operation whose first input is a body, for example "validate_request", with each of `bodies`: a range of
    /// texts. They share the second input, which is parsed once. Returns accepted if all are accepted.
    template <class Bodies>
    Verdict batch(std::string_view operation, const Bodies &bodies, std::optional<std::string_view> context,
                  Answers &out) const {
        std::string data;
        std::vector<std::int64_t> offsets{0};
        for (const std::string_view body : bodies) {
            data.append(body);
            offsets.push_back(static_cast<std::int64_t>(data.size()));
        }
        const std::size_t count = offsets.size() - 1;
        out.returns_.resize(count);
        out.ends_.resize(count + 1);
        const Text name(operation), shared(context);
        const std::int32_t number =
            payspec_batch(engine_, name.data, name.size, data.data(), offsets.data(), count, shared.data, shared.size,
                          out.returns_.data(), out.out_.raw(), out.ends_.data());
        if (number >= 0) return static_cast<Verdict>(number);
        out.returns_.clear();
        throw Error(number, out.out_.str());
    }

    /// Returns the pointer for the functions of payspec.h.
    const payspec_engine *raw() const noexcept { return engine_; }

private:
    // An input for C. A default string_view has a null pointer, which in C is a missing input, not an empty one.
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
        // Without a buffer there is no reason: repeat the call with one.
        Buffer reason;
        return checked(&reason, operation);
    }

    payspec_engine *engine_;
};

/// Returns the version of the linked library.
inline std::string_view version() noexcept { return payspec_version(); }

/// Returns whether the linked library has the binary interface of this header.
inline bool abi_matches() noexcept { return payspec_abi_version() == PAYSPEC_ABI_VERSION; }

}  // namespace payspec

#endif
