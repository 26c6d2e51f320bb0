// Typical use of payspec.hpp: answers, verdicts, errors, moves.
#include <payspec.hpp>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

static int failed = 0;

static void check(bool holds, int line) {
    if (!holds) {
        std::printf("header.cpp:%d\n", line);
        failed++;
    }
}

template <class Function>
static int number_of(Function function) {
    try {
        function();
    } catch (const payspec::Error &error) {
        const std::string sentence = error.code() + " error at " + (error.path().empty() ? "the input" : error.path());
        return error.what() == sentence + ": " + error.message() && !error.message().empty() ? error.number() : 0;
    }
    return 0;
}

template <class Function>
static std::string path_of(Function function) {
    try {
        function();
    } catch (const payspec::Error &error) {
        return error.code() + " " + error.path();
    }
    return "no error";
}

// A null pointer is a missing input: an error that names it, not a crash.
static void null_pointers() {
    const char *const none = nullptr;
    payspec::Engine engine;
    payspec::Buffer out;
    payspec::Answers answers;
    check(path_of([&] { engine.validate_request(none, {}, out); }) == "argument /body", __LINE__);
    check(path_of([&] { (void)engine.validate_request(nullptr); }) == "argument /body", __LINE__);
    check(path_of([&] { (void)engine.accepts(none); }) == "argument /body", __LINE__);
    check(path_of([&] { (void)engine.create_payment("{}", none); }) == "argument /context", __LINE__);
    check(path_of([&] { (void)engine.redact_text(none); }) == "argument /text", __LINE__);
    check(path_of([&] { payspec::Engine rejected(nullptr); }) == "argument /policy", __LINE__);
    check(path_of([&] { payspec::Engine rejected(none); }) == "argument /policy", __LINE__);
    check(path_of([&] { engine.batch(none, std::vector<const char *>{"{}"}, {}, answers); }) == "argument /operation",
          __LINE__);
    check(path_of([&] { engine.batch("redact", std::vector<const char *>{"{}", none}, {}, answers); }) ==
              "argument /bodies/1", __LINE__);
    check(engine.authorize(none).verdict() == payspec::Verdict::rejected, __LINE__);
    check(engine.validate_request("{}", none).member("valid") == "false", __LINE__);
    check(engine.validate_request(std::optional<std::string>("{}")).member("valid") == "false", __LINE__);
}

// A gateway: a new payment, its record, and the same request again.
static void outcomes(const std::string &body) {
    using namespace payspec;
    const Engine engine;
    CreateContext context("0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", "2026-11-20T10:15:30.250Z", {"Bearer abc", true});
    context.idempotency_key = "order \"7\"";
    check(engine.create_payment(body, context).status() == 400, __LINE__);
    context.idempotency_key = "order-7";
    const Outcome first = engine.create_payment(body, context);
    check(first.ok() && first.status() == 201 && !first.replayed() && first.fingerprint()->size() == 64, __LINE__);
    check(!first.www_authenticate() && first.warnings() == "[]", __LINE__);
    const auto record = first.record(context.now);
    check(record && record->find("\"payment\":" + std::string(first.body())) != std::string::npos, __LINE__);
    context.existing = record;
    context.uid = "6fa459ea-ee8a-3ca4-894e-db77e160355e";
    const Outcome again = engine.create_payment(body, context);
    check(again.replayed() && again.body() == first.body() && !again.record(context.now), __LINE__);
    context.idempotency_key = "a\xff";
    check(engine.create_payment(body, context).status() == 400, __LINE__);
    context.authorization = Authorization("Bearer a\xff", true);
    check(engine.create_payment(body, context).status() == 401, __LINE__);
    context.authorization = Authorization(std::nullopt, true);
    check(engine.create_payment(body, context).www_authenticate() == "Bearer", __LINE__);
    context = CreateContext("7", context.now, Authorization::checked_by_caller());
    check(path_of([&] { (void)engine.create_payment(body, context); }) == "context /uid", __LINE__);
    payspec::ReadContext read("a\xff", payspec::Authorization::checked_by_caller());
    check(engine.read_payment(read).status() == 404, __LINE__);
    context.uid = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
    const std::string of_shop = body.substr(0, body.size() - 1) + R"(,"merchant_id":"shop \"b\""})";
    using Ids = std::vector<std::string>;
    for (const auto &[ids, status] : {std::pair{Ids{}, 422}, {Ids{"shop-a"}, 422}, {Ids{"a", "shop \"b\""}, 201}}) {
        context.allowed_merchant_ids = ids;
        check(engine.create_payment(of_shop, context).status() == status, __LINE__);
    }
    context.allowed_merchant_ids = std::nullopt;
    check(engine.create_payment(of_shop, context).status() == 201, __LINE__);
    context.info = R"({"bank":"x"})";
    const std::string host2host = body.substr(0, body.size() - 1) + R"(,"host2host":true})";
    const Outcome with_info = engine.create_payment(host2host, context);
    check(with_info.body().find(R"("info":{"type":"sbp","bank":"x"})") != std::string::npos, __LINE__);
    context.refusal = "no";
    check(engine.create_payment(body, context).status() == 455, __LINE__);
    check(timestamp(std::chrono::system_clock::time_point{}) == "1970-01-01T00:00:00.000000000Z", __LINE__);
    context.now = timestamp(std::chrono::system_clock::now());
    check(engine.create_payment(body, context).status() == 455, __LINE__);
}

int main() {
    using payspec::Verdict;
    const std::string body = R"({"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"})";
    payspec::Engine engine;
    payspec::Buffer out;
    check(out.empty() && out.view().empty() && *out.c_str() == '\0', __LINE__);
    check(engine.validate_request(body).accepted() && engine.accepts(body), __LINE__);
    null_pointers();
    outcomes(body);
    check(engine.validate_request(body, "2026-11-20T10:15:30Z", out) == Verdict::accepted, __LINE__);
    check(out.view() == out.str() && out.str() == out.c_str() && out.view().find("\"valid\":true") == 1, __LINE__);
    // An empty string_view is an empty body, not a missing one.
    check(engine.validate_request(std::string_view(), {}, out) == Verdict::rejected, __LINE__);
    check(engine.authorize(std::nullopt).verdict() == Verdict::rejected, __LINE__);
    check(engine.authorize("Bearer abc", out) == Verdict::accepted, __LINE__);
    check(engine.states(out) == Verdict::accepted, __LINE__);

    check(number_of([&] { engine.convert("[]", out); }) == PAYSPEC_ERROR_CONTEXT, __LINE__);
    check(number_of([&] { (void)engine.convert("[]"); }) == PAYSPEC_ERROR_CONTEXT, __LINE__);
    check(number_of([&] { (void)engine.card_info("\xff"); }) == PAYSPEC_ERROR_UTF8, __LINE__);
    check(number_of([&] { payspec::Engine rejected("{\"no\":1}"); }) == PAYSPEC_ERROR_POLICY, __LINE__);

    payspec::Answers answers;
    const std::vector<std::string> bodies{body, "", "{\"cur\":1}"};
    check(engine.batch("validate_request", bodies, "2026-11-20T10:15:30Z", answers) == Verdict::rejected, __LINE__);
    check(answers.size() == 3, __LINE__);
    for (std::size_t i = 0; i < bodies.size(); i++) {
        check(engine.validate_request(bodies[i], "2026-11-20T10:15:30Z", out) == answers.verdict(i), __LINE__);
        check(out.view() == answers[i], __LINE__);
    }
    check(engine.batch("redact", std::vector<std::string_view>{"{}", "{ }"}, {}, answers) == Verdict::accepted, __LINE__);
    check(answers.size() == 2 && answers[0] == "{}" && answers[1] == "{ }", __LINE__);
    check(engine.batch("redact", std::vector<std::string_view>(), {}, answers) == Verdict::accepted, __LINE__);
    check(answers.empty(), __LINE__);
    check(number_of([&] { engine.batch("convert", bodies, {}, answers); }) == PAYSPEC_ERROR_ARGUMENT, __LINE__);
    check(number_of([&] { engine.batch("locate", bodies, "x", answers); }) == PAYSPEC_ERROR_CONTEXT, __LINE__);
    check(answers.empty(), __LINE__);

    payspec::Buffer moved = std::move(out);
    check(!moved.empty(), __LINE__);
    out = std::move(moved);
    check(!out.empty(), __LINE__);
    payspec::Engine strict(R"({"required":["/merchant_id"]})");
    check(!strict.accepts(body), __LINE__);
    strict = std::move(engine);
    check(strict.accepts(body), __LINE__);
    check(number_of([&] { (void)engine.validate_request(body); }) == PAYSPEC_ERROR_ARGUMENT, __LINE__);
    check(payspec::abi_matches() && payspec::version() == PAYSPEC_VERSION, __LINE__);
    return failed == 0 ? 0 : 1;
}
