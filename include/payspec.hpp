/*
 * payspec for C++17: a thin, header-only layer over payspec.h. It frees memory; inputs are std::string_view.
 *
 *     payspec::Engine engine;                             // or Engine(policy)
 *     payspec::Answer report = engine.validate_request(body);
 *     if (!report.accepted()) std::cerr << report.view();
 *
 * Every operation has two overloads: one returns an Answer, the other writes into a Buffer, whose memory is reused from
 * call to call, and returns the verdict. `accepts` is the fastest: the verdict of validate_request, without a report.
 * If a call fails, payspec::Error is thrown, by this header and not by the library: no exception passes through C.
 *
 * Engine: const calls from any number of threads at the same time. Buffer: one thread at a time. Both can be moved, not
 * copied. A moved-from Engine may only be assigned to or destroyed; a moved-from Buffer is empty.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PAYSPEC_HPP
#define PAYSPEC_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "payspec.h"

namespace payspec {

/// The verdict of an operation.
enum class Verdict : std::int32_t {
    accepted = PAYSPEC_ACCEPTED,
    rejected = PAYSPEC_REJECTED,
};

/// Just enough JSON to write a context and to find a member in an answer of the library.
namespace json {

/// Returns a JSON string: quoted and escaped.
[[nodiscard]] inline std::string quote(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        } else {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
    }
    return out += '"';
}

/// Returns a JSON string with a header or a path of a client, whose bytes may not be UTF-8. Each byte outside ASCII becomes
/// U+FFFD. Neither is valid in a token, a key, or a UUID, so the answer is the same: 401, 400, or 404.
[[nodiscard]] inline std::string quote_header(std::string_view header) {
    std::string text;
    for (const char c : header) {
        if (static_cast<unsigned char>(c) < 0x80) {
            text += c;
        } else {
            text += "\xef\xbf\xbd";
        }
    }
    return quote(text);
}

namespace detail {

// Returns the end of the string that starts at `at`: the index after its closing quote.
inline std::size_t past_string(std::string_view text, std::size_t at) noexcept {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return at + 1;
}

// Returns the end of the value that starts at `at`: the index of the comma or bracket after it.
inline std::size_t past_value(std::string_view text, std::size_t at) noexcept {
    for (int depth = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            at = past_string(text, at) - 1;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (((c == '}' || c == ']') && depth-- == 0) || (c == ',' && depth == 0)) {
            break;
        }
    }
    return at;
}

}  // namespace detail

/// Returns the unchanged JSON of the member `name` in an object that the library wrote.
[[nodiscard]] inline std::optional<std::string_view> member(std::string_view object, std::string_view name) noexcept {
    // `at` is the brace or comma before a name.
    for (std::size_t at = 0; at + 1 < object.size() && object[at + 1] == '"';) {
        const std::size_t value = detail::past_string(object, at + 1) + 1;
        if (value > object.size()) break;
        const std::size_t end = detail::past_value(object, value);
        if (object.substr(at + 2, value - at - 4) == name) return object.substr(value, end - value);
        at = end;
    }
    return std::nullopt;
}

/// Returns the text of a JSON string that the library wrote.
[[nodiscard]] inline std::string text(std::string_view string) {
    std::string out;
    for (std::size_t at = 1; at + 1 < string.size(); ++at) {
        if (string[at] != '\\') {
            out += string[at];
            continue;
        }
        const char escape = string[++at];
        switch (escape) {
            case 'b': out += '\b'; break;
            case 'f': out += '\f'; break;
            case 'n': out += '\n'; break;
            case 'r': out += '\r'; break;
            case 't': out += '\t'; break;
            case 'u':
                // The library escapes control characters only; every other character is written as UTF-8.
                out += static_cast<char>(std::stoi(std::string(string.substr(at + 3, 2)), nullptr, 16));
                at += 4;
                break;
            default: out += escape;
        }
    }
    return out;
}

}  // namespace json

/// A call that failed because of its caller: there is no response for the client. what() is one sentence with the code,
/// the path and the message; none of them contains a value.
class Error : public std::runtime_error {
public:
    Error(std::int32_t number, std::string code, std::string path, std::string message)
        : std::runtime_error(code + " error at " + (path.empty() ? "the input" : path) + ": " + message),
          number_(number), code_(std::move(code)), path_(std::move(path)), message_(std::move(message)) {}

    /// Reads the text that the library writes for a negative return: {"error":{"code":…,"path":…,"message":…}}.
    [[nodiscard]] static Error of(std::int32_t number, std::string_view answer) {
        const std::string_view error = json::member(answer, "error").value_or("{}");
        const auto part = [&](std::string_view name) { return json::text(json::member(error, name).value_or("\"\"")); };
        return Error(number, part("code"), part("path"), part("message"));
    }

    /// Returns PAYSPEC_ERROR_ARGUMENT, _UTF8, _PANIC, _CONTEXT, or _POLICY.
    [[nodiscard]] std::int32_t number() const noexcept { return number_; }
    /// Returns argument, utf8, panic, context, or policy.
    [[nodiscard]] const std::string &code() const noexcept { return code_; }
    /// Returns the JSON Pointer (RFC 6901) of the invalid member; empty for the whole input.
    [[nodiscard]] const std::string &path() const noexcept { return path_; }
    /// Returns the expected value in words.
    [[nodiscard]] const std::string &message() const noexcept { return message_; }

private:
    std::int32_t number_;
    std::string code_, path_, message_;
};

/// An input of an operation: a text, or no text. A null pointer is a missing input, as in C: if the operation requires
/// it, Error is thrown with the code "argument" and the name of the input as path.
class Input {
public:
    Input() noexcept : data_(nullptr), size_(0) {}
    Input(std::nullptr_t) noexcept : Input() {}
    Input(std::nullopt_t) noexcept : Input() {}
    Input(const char *text) noexcept : data_(text), size_(text ? std::char_traits<char>::length(text) : 0) {}
    /// A default string_view is an empty text, although its pointer is null.
    Input(std::string_view text) noexcept : data_(text.data() ? text.data() : ""), size_(text.size()) {}
    Input(const std::string &text) noexcept : Input(std::string_view(text)) {}
    template <class Text>
    Input(const std::optional<Text> &text) noexcept : Input() {
        if (text) *this = Input(*text);
    }

    [[nodiscard]] const char *data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    const char *data_;
    std::size_t size_;
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
    [[nodiscard]] std::string_view view() const noexcept { return {c_str(), buf_.len}; }
    /// Returns a copy of the text.
    [[nodiscard]] std::string str() const { return std::string(view()); }
    /// Returns the NUL-terminated text, which is valid until the next use of the buffer.
    [[nodiscard]] const char *c_str() const noexcept { return buf_.data ? buf_.data : ""; }
    [[nodiscard]] bool empty() const noexcept { return buf_.len == 0; }
    /// Returns the pointer for the functions of payspec.h.
    [[nodiscard]] payspec_buf *raw() noexcept { return &buf_; }

private:
    payspec_buf buf_{nullptr, 0, 0};
};

/// The answers of a batch, in the order of the bodies. Each batch with it replaces them, and reuses the memory.
class Answers {
public:
    [[nodiscard]] std::size_t size() const noexcept { return returns_.size(); }
    [[nodiscard]] bool empty() const noexcept { return returns_.empty(); }

    /// Returns the text of an answer, which is valid until the next use. `index` is less than size().
    [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept {
        const auto start = static_cast<std::size_t>(ends_[index]);
        return out_.view().substr(start, static_cast<std::size_t>(ends_[index + 1]) - start);
    }

    /// Returns the verdict on a body. Throws Error if the library panicked, which is a bug in it.
    [[nodiscard]] Verdict verdict(std::size_t index) const {
        const std::int8_t number = returns_[index];
        if (number < 0) throw Error::of(number, (*this)[index]);
        return static_cast<Verdict>(number);
    }

private:
    friend class Engine;
    Buffer out_;
    std::vector<std::int8_t> returns_;
    std::vector<std::int64_t> ends_;
};

/// The unchanged answer of an operation.
class Answer {
public:
    Answer(Verdict verdict, Buffer text) noexcept : verdict_(verdict), text_(std::move(text)) {}

    [[nodiscard]] Verdict verdict() const noexcept { return verdict_; }
    /// Returns true if the body is valid, the status is 2xx, the transition is possible, …
    [[nodiscard]] bool accepted() const noexcept { return verdict_ == Verdict::accepted; }
    /// Returns the JSON, which is valid as long as the answer.
    [[nodiscard]] std::string_view view() const noexcept { return text_.view(); }
    /// Returns a copy of the JSON.
    [[nodiscard]] std::string str() const { return text_.str(); }
    /// Returns the unchanged JSON of a member.
    [[nodiscard]] std::optional<std::string_view> member(std::string_view name) const noexcept {
        return json::member(view(), name);
    }
    /// Returns the text of a member that is a string.
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const {
        const auto found = member(name);
        return found && found->substr(0, 1) == "\"" ? std::optional(json::text(*found)) : std::nullopt;
    }

private:
    Verdict verdict_;
    Buffer text_;
};

/// The response to send: a status and the exact bytes of a Payment or a problem (RFC 9457).
class Outcome {
public:
    /// Takes the answer of an operation whose answer is an outcome, such as read_payment.
    explicit Outcome(Answer answer) : answer_(std::move(answer)) {}

    /// Returns true if the status is 2xx.
    [[nodiscard]] bool ok() const noexcept { return answer_.accepted(); }
    [[nodiscard]] int status() const { return std::stoi(std::string(answer_.member("status").value_or("0"))); }
    /// Returns the body, to be sent byte for byte. It is valid as long as the outcome.
    [[nodiscard]] std::string_view body() const noexcept { return answer_.member("body").value_or(std::string_view()); }
    /// Returns the value of the header WWW-Authenticate, which a 401 has.
    [[nodiscard]] std::optional<std::string> www_authenticate() const { return answer_.text("www_authenticate"); }
    /// Returns true if this is the stored payment of a repeated request.
    [[nodiscard]] bool replayed() const noexcept { return answer_.member("replayed") == "true"; }
    /// Returns the fingerprint of the request, if the context has an idempotency key.
    [[nodiscard]] std::optional<std::string> fingerprint() const { return answer_.text("fingerprint"); }
    /// Returns the warnings as a JSON array, for the log and not for the client.
    [[nodiscard]] std::string_view warnings() const noexcept { return answer_.member("warnings").value_or("[]"); }
    /// Returns the record to store under the key of the request, as the next request with it needs it. `now` is that of
    /// the context. Only a new payment has one, created with an idempotency key.
    [[nodiscard]] std::optional<std::string> record(std::string_view now) const {
        const auto print = answer_.member("fingerprint");
        if (!ok() || replayed() || !print) return std::nullopt;
        std::string out = "{\"created_at\":" + json::quote(now) + ",\"fingerprint\":";
        return out.append(*print).append(",\"payment\":").append(body()).append("}");
    }
    [[nodiscard]] const Answer &answer() const noexcept { return answer_; }

private:
    Answer answer_;
};

/// Returns a time in the form of contexts (RFC 3339, UTC) with nanoseconds.
[[nodiscard]] inline std::string timestamp(std::chrono::system_clock::time_point time) {
    using namespace std::chrono;
    const auto since = time.time_since_epoch();
    const auto whole = floor<seconds>(since);
    const auto fraction = duration_cast<nanoseconds>(since - whole).count();
    const std::time_t at = static_cast<std::time_t>(whole.count());
    std::tm utc{};
#ifdef _WIN32
    gmtime_s(&utc, &at);
#else
    gmtime_r(&at, &utc);
#endif
    char date[24], out[40];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    std::snprintf(out, sizeof out, "%s.%09dZ", date, static_cast<int>(fraction));
    return out;
}

/// The credential of a request.
class Authorization {
public:
    /// The Authorization header, if the request has one, and whether the caller accepts its token.
    Authorization(std::optional<std::string_view> header, bool accepted)
        : json_("{\"header\":" + (header ? json::quote_header(*header) : "null") + ",\"accepted\":" +
                (accepted ? "true}" : "false}")) {}
    /// The caller has checked the credential in another way.
    [[nodiscard]] static Authorization checked_by_caller() { return Authorization(); }
    [[nodiscard]] const std::string &json() const noexcept { return json_; }

private:
    Authorization() : json_("\"checked_by_caller\"") {}
    std::string json_;
};

/// The context of create_payment. The constructor takes the required members. Values are checked by the library.
struct CreateContext {
    /// `uid` is a new UUID, `now` a timestamp (RFC 3339).
    CreateContext(std::string uid_, std::string now_, Authorization authorization_)
        : uid(std::move(uid_)), now(std::move(now_)), authorization(std::move(authorization_)) {}

    std::string uid;
    std::string now;
    Authorization authorization;
    std::optional<std::string> url = {};
    std::optional<std::string> form = {};
    std::optional<std::string> merchant_id = {};
    /// The merchants that the credential may act for: any other merchant_id of the body is answered with 422. An empty list
    /// allows none, and without a list any merchant_id is allowed.
    std::optional<std::vector<std::string>> allowed_merchant_ids = {};
    /// The key of the request, as idempotency_key returns it.
    std::optional<std::string> idempotency_key = {};
    /// The record stored under the key; none if the request is the first one.
    std::optional<std::string> existing = {};
    /// JSON objects of section "Contexts" in the documentation. `info` has further members of the answer's info, for
    /// host2host.
    std::optional<std::string> quote = {}, charges = {}, info = {};
    /// If set, the payment is declined with 455 and this text.
    std::optional<std::string> refusal = {};

    [[nodiscard]] std::string json() const {
        std::string out = "{\"uid\":" + json::quote(uid) + ",\"now\":" + json::quote(now);
        out += ",\"authorization\":" + authorization.json();
        const auto text = [&](const char *name, const std::optional<std::string> &value) {
            if (value) out.append(",\"").append(name).append("\":").append(json::quote(*value));
        };
        text("url", url);
        text("form", form);
        text("merchant_id", merchant_id);
        if (allowed_merchant_ids) {
            out += ",\"allowed_merchant_ids\":[";
            for (const std::string &id : *allowed_merchant_ids) {
                if (&id != &allowed_merchant_ids->front()) out += ',';
                out += json::quote(id);
            }
            out += ']';
        }
        if (idempotency_key) {
            out += ",\"idempotency\":{\"key\":" + json::quote_header(*idempotency_key);
            out += ",\"existing\":" + existing.value_or("null") + "}";
        }
        if (quote) out += ",\"quote\":" + *quote;
        if (charges) out += ",\"charges\":" + *charges;
        if (info) out += ",\"info\":" + *info;
        text("refusal", refusal);
        return out += '}';
    }
};

/// The context of read_payment. `uid` is the text in the path, with any bytes: if it is not a UUID, the answer is 404.
struct ReadContext {
    ReadContext(std::string uid_, Authorization authorization_)
        : uid(std::move(uid_)), authorization(std::move(authorization_)) {}

    std::string uid;
    Authorization authorization;
    /// The stored payment as JSON, which is returned byte for byte; none if it does not exist.
    std::optional<std::string> payment = {};

    [[nodiscard]] std::string json() const {
        return "{\"uid\":" + json::quote_header(uid) + ",\"authorization\":" + authorization.json() +
               ",\"payment\":" + payment.value_or("null") + "}";
    }
};

/// An engine: a policy, prepared for use.
class Engine {
public:
    /// Creates an engine with the default policy.
    Engine() : engine_(make({})) {}
    /// Creates an engine with a policy as JSON. Throws Error if the policy is invalid, or if it is a null pointer.
    explicit Engine(Input policy) : engine_(make(required(policy, "/policy"))) {}
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
    Verdict validate_request(Input body, Input now, Buffer &out) const {
        return call(&out, payspec_validate_request, body, now);
    }
    [[nodiscard]] Answer validate_request(Input body, Input now = {}) const {
        return answer(payspec_validate_request, body, now);
    }

    /// Returns only the verdict of validate_request. It is the fastest call.
    [[nodiscard]] bool accepts(Input body, Input now = {}) const {
        return call(nullptr, payspec_validate_request, body, now) == Verdict::accepted;
    }

    /// Returns the exact outcome of POST /v1/payments/new.
    [[nodiscard]] Outcome create_payment(Input body, const CreateContext &context) const {
        return Outcome(create_payment(body, Input(context.json())));
    }
    Verdict create_payment(Input body, Input context, Buffer &out) const {
        return call(&out, payspec_create_payment, body, context);
    }
    [[nodiscard]] Answer create_payment(Input body, Input context) const {
        return answer(payspec_create_payment, body, context);
    }

    /// Returns the fingerprint of the body of a request.
    Verdict fingerprint_request(Input body, Buffer &out) const { return call(&out, payspec_fingerprint_request, body); }
    [[nodiscard]] Answer fingerprint_request(Input body) const { return answer(payspec_fingerprint_request, body); }

    /// Returns a body in a form that is safe to log.
    Verdict redact(Input body, Buffer &out) const { return call(&out, payspec_redact, body); }
    [[nodiscard]] Answer redact(Input body) const { return answer(payspec_redact, body); }

    /// Returns a text, safe to log.
    Verdict redact_text(Input text, Buffer &out) const { return call(&out, payspec_redact_text, text); }
    [[nodiscard]] Answer redact_text(Input text) const { return answer(payspec_redact_text, text); }

    /// Locates a value in a body by its JSON Pointer.
    Verdict locate(Input body, Input pointer, Buffer &out) const { return call(&out, payspec_locate, body, pointer); }
    [[nodiscard]] Answer locate(Input body, Input pointer) const { return answer(payspec_locate, body, pointer); }

    /// Returns the exact outcome of GET /v1/payments/{uid}/status.
    [[nodiscard]] Outcome read_payment(const ReadContext &context) const {
        return Outcome(read_payment(Input(context.json())));
    }
    Verdict read_payment(Input context, Buffer &out) const { return call(&out, payspec_read_payment, context); }
    [[nodiscard]] Answer read_payment(Input context) const { return answer(payspec_read_payment, context); }

    /// Returns the exact outcome of GET /v1/partner/balance.
    Verdict read_balance(Input context, Buffer &out) const { return call(&out, payspec_read_balance, context); }
    [[nodiscard]] Answer read_balance(Input context) const { return answer(payspec_read_balance, context); }

    /// Validates a payment, and checks that it matches the request if one is given.
    Verdict check_payment(Input body, Input request, Buffer &out) const {
        return call(&out, payspec_check_payment, body, request);
    }
    [[nodiscard]] Answer check_payment(Input body, Input request = {}) const {
        return answer(payspec_check_payment, body, request);
    }

    /// Returns the currency of each amount of a payment.
    Verdict field_currencies(Input body, Buffer &out) const { return call(&out, payspec_field_currencies, body); }
    [[nodiscard]] Answer field_currencies(Input body) const { return answer(payspec_field_currencies, body); }

    /// Converts a fiat amount to USDT.
    Verdict convert(Input context, Buffer &out) const { return call(&out, payspec_convert, context); }
    [[nodiscard]] Answer convert(Input context) const { return answer(payspec_convert, context); }

    /// Applies a transition to a stored payment.
    Verdict advance_payment(Input context, Buffer &out) const { return call(&out, payspec_advance_payment, context); }
    [[nodiscard]] Answer advance_payment(Input context) const { return answer(payspec_advance_payment, context); }

    /// Checks a transition between two states.
    Verdict check_transition(Input context, Buffer &out) const { return call(&out, payspec_check_transition, context); }
    [[nodiscard]] Answer check_transition(Input context) const { return answer(payspec_check_transition, context); }

    /// Parses the value of an Authorization header; std::nullopt if the request has no such header.
    Verdict authorize(Input header, Buffer &out) const { return call(&out, payspec_authorize, header); }
    [[nodiscard]] Answer authorize(Input header = {}) const { return answer(payspec_authorize, header); }

    /// Compares a request with the record stored under its idempotency key.
    Verdict check_idempotency(Input context, Buffer &out) const {
        return call(&out, payspec_check_idempotency, context);
    }
    [[nodiscard]] Answer check_idempotency(Input context) const { return answer(payspec_check_idempotency, context); }

    /// Returns the key in the value of an Idempotency-Key header; std::nullopt if the request has no such header.
    Verdict idempotency_key(Input header, Buffer &out) const { return call(&out, payspec_idempotency_key, header); }
    [[nodiscard]] Answer idempotency_key(Input header = {}) const { return answer(payspec_idempotency_key, header); }

    /// Signs a webhook: the headers to send with the body.
    Verdict sign_webhook(Input body, Input context, Buffer &out) const {
        return call(&out, payspec_sign_webhook, body, context);
    }
    [[nodiscard]] Answer sign_webhook(Input body, Input context) const {
        return answer(payspec_sign_webhook, body, context);
    }

    /// Verifies the signature and the time of a received webhook.
    Verdict verify_webhook(Input body, Input context, Buffer &out) const {
        return call(&out, payspec_verify_webhook, body, context);
    }
    [[nodiscard]] Answer verify_webhook(Input body, Input context) const {
        return answer(payspec_verify_webhook, body, context);
    }

    /// Migrates a request of the legacy API; kind is pay_in or pay_out.
    Verdict upgrade_request(Input kind, Input body, Buffer &out) const {
        return call(&out, payspec_upgrade_request, kind, body);
    }
    [[nodiscard]] Answer upgrade_request(Input kind, Input body) const {
        return answer(payspec_upgrade_request, kind, body);
    }

    /// Migrates a request to the legacy API.
    Verdict downgrade_request(Input body, Buffer &out) const { return call(&out, payspec_downgrade_request, body); }
    [[nodiscard]] Answer downgrade_request(Input body) const { return answer(payspec_downgrade_request, body); }

    /// Migrates a balance of the legacy API.
    Verdict upgrade_balance(Input body, Buffer &out) const { return call(&out, payspec_upgrade_balance, body); }
    [[nodiscard]] Answer upgrade_balance(Input body) const { return answer(payspec_upgrade_balance, body); }

    /// Migrates a balance to the legacy API.
    Verdict downgrade_balance(Input body, Buffer &out) const { return call(&out, payspec_downgrade_balance, body); }
    [[nodiscard]] Answer downgrade_balance(Input body) const { return answer(payspec_downgrade_balance, body); }

    /// Migrates a payment of the legacy API.
    Verdict upgrade_payment(Input body, Buffer &out) const { return call(&out, payspec_upgrade_payment, body); }
    [[nodiscard]] Answer upgrade_payment(Input body) const { return answer(payspec_upgrade_payment, body); }

    /// Migrates a payment to the legacy API.
    Verdict downgrade_payment(Input body, Buffer &out) const { return call(&out, payspec_downgrade_payment, body); }
    [[nodiscard]] Answer downgrade_payment(Input body) const { return answer(payspec_downgrade_payment, body); }

    /// Returns the scheme and the format of a card from the digits typed so far.
    Verdict card_info(Input digits, Buffer &out) const { return call(&out, payspec_card_info, digits); }
    [[nodiscard]] Answer card_info(Input digits) const { return answer(payspec_card_info, digits); }

    /// Compares the requests that two policies accept.
    Verdict compare_policies(Input context, Buffer &out) const { return call(&out, payspec_compare_policies, context); }
    [[nodiscard]] Answer compare_policies(Input context) const { return answer(payspec_compare_policies, context); }

    /// Returns the table of states.
    Verdict states(Buffer &out) const { return call(&out, payspec_states); }
    [[nodiscard]] Answer states() const { return answer(payspec_states); }

    /// Returns the catalog of violation codes.
    Verdict rules(Buffer &out) const { return call(&out, payspec_rules); }
    [[nodiscard]] Answer rules() const { return answer(payspec_rules); }

    /// Returns the decision register.
    Verdict decisions(Buffer &out) const { return call(&out, payspec_decisions); }
    [[nodiscard]] Answer decisions() const { return answer(payspec_decisions); }

    /// Returns an OpenAPI 3.1 document of the interface.
    Verdict openapi(Buffer &out) const { return call(&out, payspec_openapi); }
    [[nodiscard]] Answer openapi() const { return answer(payspec_openapi); }

    /// Runs an operation whose first input is a body, for example "validate_request", with each of `bodies`: a range of
    /// texts. They share the second input, which is parsed once. Returns accepted if all are accepted.
    template <class Bodies>
    Verdict batch(Input operation, const Bodies &bodies, Input context, Answers &out) const {
        std::string data;
        std::vector<std::int64_t> offsets{0};
        for (const Input body : bodies) {
            const Input text = required(body, "/bodies/" + std::to_string(offsets.size() - 1));
            data.append(text.data(), text.size());
            offsets.push_back(static_cast<std::int64_t>(data.size()));
        }
        const std::size_t count = offsets.size() - 1;
        out.returns_.resize(count);
        out.ends_.resize(count + 1);
        const std::int32_t number =
            payspec_batch(engine_, operation.data(), operation.size(), data.data(), offsets.data(), count,
                          context.data(), context.size(), out.returns_.data(), out.out_.raw(), out.ends_.data());
        if (number >= 0) return static_cast<Verdict>(number);
        out.returns_.clear();
        throw Error::of(number, out.out_.view());
    }

    /// Returns the pointer for the functions of payspec.h.
    [[nodiscard]] const payspec_engine *raw() const noexcept { return engine_; }

private:
    static Input required(Input input, std::string path) {
        if (input.data()) return input;
        throw Error(PAYSPEC_ERROR_ARGUMENT, "argument", std::move(path), "expected a text, not a null pointer");
    }

    static payspec_engine *make(Input policy) {
        payspec_engine *engine = nullptr;
        Buffer error;
        const std::int32_t number = payspec_engine_new(policy.data(), policy.size(), &engine, error.raw());
        if (number < 0) throw Error::of(number, error.view());
        return engine;
    }

    using Operation0 = std::int32_t(const payspec_engine *, payspec_buf *);
    using Operation1 = std::int32_t(const payspec_engine *, const char *, std::size_t, payspec_buf *);
    using Operation2 =
        std::int32_t(const payspec_engine *, const char *, std::size_t, const char *, std::size_t, payspec_buf *);

    Verdict call(Buffer *out, Operation0 *operation) const {
        return checked(out, [&](payspec_buf *buf) { return operation(engine_, buf); });
    }
    Verdict call(Buffer *out, Operation1 *operation, Input a) const {
        return checked(out, [&](payspec_buf *buf) { return operation(engine_, a.data(), a.size(), buf); });
    }
    Verdict call(Buffer *out, Operation2 *operation, Input a, Input b) const {
        return checked(out, [&](payspec_buf *buf) {
            return operation(engine_, a.data(), a.size(), b.data(), b.size(), buf);
        });
    }

    template <class... Arguments>
    Answer answer(Arguments... arguments) const {
        Buffer out;
        const Verdict verdict = call(&out, arguments...);
        return Answer(verdict, std::move(out));
    }

    template <class Call>
    static Verdict checked(Buffer *out, Call operation) {
        const std::int32_t number = operation(out ? out->raw() : nullptr);
        if (number >= 0) return static_cast<Verdict>(number);
        if (out) throw Error::of(number, out->view());
        // Without a buffer there is no reason: repeat the call with one.
        Buffer reason;
        return checked(&reason, operation);
    }

    payspec_engine *engine_;
};

/// Returns the version of the linked library.
[[nodiscard]] inline std::string_view version() noexcept { return payspec_version(); }

/// Returns whether the linked library has the binary interface of this header.
[[nodiscard]] inline bool abi_matches() noexcept { return payspec_abi_version() == PAYSPEC_ABI_VERSION; }

}  // namespace payspec

#endif
