// Answers POST /v1/payments/new: the body of the request on standard input, the status and the body of the response on
// standard output. PAYSPEC_AUTHORIZATION is the header Authorization of the request, PAYSPEC_TOKEN the accepted token.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <payspec.hpp>
#include <random>
#include <string>

// In a database: a table with a unique key.
std::map<std::string, std::string> records;

// Returns a random UUID (version 4).
std::string new_uid() {
    std::random_device random;
    std::string uid = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
    for (char &c : uid) {
        if (c == 'x') c = "0123456789abcdef"[random() % 16];
        if (c == 'y') c = "89ab"[random() % 4];
    }
    return uid;
}

// Returns the response to a request. Compare tokens in constant time in a service.
payspec::Outcome new_payment(const payspec::Engine &engine, const std::string &body, const char *header, const std::string &token,
                             const char *key_header) {
    payspec::Answer parsed = engine.idempotency_key(key_header);
    if (!parsed.accepted()) return payspec::Outcome(std::move(parsed));  // 400
    const std::string key = parsed.text("key").value();
    const bool accepted = header && header == "Bearer " + token;
    payspec::CreateContext context(new_uid(), payspec::timestamp(std::chrono::system_clock::now()),
                                   payspec::Authorization(header ? std::optional<std::string_view>(header) : std::nullopt, accepted));
    context.idempotency_key = key;
    if (const auto known = records.find(key); known != records.end()) context.existing = known->second;
    payspec::Outcome outcome = engine.create_payment(body, context);
    if (const auto record = outcome.record(context.now)) records[key] = *record;
    return outcome;
}

int main() {
    const char *token = std::getenv("PAYSPEC_TOKEN"), *header = std::getenv("PAYSPEC_AUTHORIZATION");
    if (!token || !*token) {
        std::cerr << "PAYSPEC_TOKEN is not set\n";
        return 2;
    }
    const payspec::Engine engine;
    const std::string body{std::istreambuf_iterator<char>(std::cin), {}};
    const payspec::Outcome outcome = new_payment(engine, body, header, token, "order-7");
    std::cout << outcome.status() << '\n' << outcome.body() << '\n';
    return outcome.status() == 201 ? 0 : 1;
}
