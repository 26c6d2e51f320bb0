// Typical use of payspec.hpp: answers, verdicts, errors, moves.
#include <payspec.hpp>

#include <cstdio>
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
        return std::string(error.what()).rfind("{\"error\":{", 0) == 0 ? error.number() : 0;
    }
    return 0;
}

int main() {
    using payspec::Verdict;
    const std::string body = R"({"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"})";
    payspec::Engine engine;
    payspec::Buffer out;
    check(out.empty() && out.view().empty() && *out.c_str() == '\0', __LINE__);
    check(engine.validate_request(body) == Verdict::accepted, __LINE__);
    check(engine.validate_request(body, "2026-11-20T10:15:30Z", out) == Verdict::accepted, __LINE__);
    check(out.view() == out.str() && out.str() == out.c_str() && out.view().find("\"valid\":true") == 1, __LINE__);
    // An empty string_view is an empty body, not a missing one.
    check(engine.validate_request(std::string_view(), {}, out) == Verdict::rejected, __LINE__);
    check(engine.authorize(std::nullopt) == Verdict::rejected, __LINE__);
    check(engine.authorize("Bearer abc", out) == Verdict::accepted, __LINE__);
    check(engine.states(out) == Verdict::accepted, __LINE__);

    check(number_of([&] { engine.convert("[]", out); }) == PAYSPEC_ERROR_CONTEXT, __LINE__);
    check(number_of([&] { engine.convert("[]"); }) == PAYSPEC_ERROR_CONTEXT, __LINE__);
    check(number_of([&] { engine.card_info("\xff"); }) == PAYSPEC_ERROR_UTF8, __LINE__);
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
    check(strict.validate_request(body) == Verdict::rejected, __LINE__);
    strict = std::move(engine);
    check(strict.validate_request(body) == Verdict::accepted, __LINE__);
    check(number_of([&] { engine.validate_request(body); }) == PAYSPEC_ERROR_ARGUMENT, __LINE__);
    check(payspec::abi_matches() && payspec::version() == PAYSPEC_VERSION, __LINE__);
    return failed == 0 ? 0 : 1;
}
