// Answers POST /v1/payments/new: the request's body on standard input, the HTTP answer on standard output.
//
// Exit code: 0 for a success, 1 for a problem that the client gets, 2 for a caller error.

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <payspec.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace {

// Well over the 65536 bytes of the default policy. A longer body is rejected even if the policy allows it.
constexpr std::size_t most_bytes = std::size_t{1} << 20;

constexpr std::string_view usage =
    "usage: create_payment [--key K] [--record FILE] [--quote FILE] [--policy FILE] [--url U] [--uid U] [--now T]\n"
    "  --key K        the request's Idempotency-Key header\n"
    "  --record FILE  what is stored under the key; written if new\n"
    "  --quote FILE   for CRYPTO: {\"currency\", \"rate\", \"as_of\"}\n"
    "  --policy FILE  the policy\n"
    "  --url U        where the client completes the payment\n"
    "  --uid U        the payment's uid; a new one without it\n"
    "  --now T        the time, RFC 3339; the clock's without it\n"
    "PAYSPEC_AUTHORIZATION: the request's Authorization header. PAYSPEC_TOKEN: the token that is accepted.\n"
    "Exit code: 0 for a success, 1 for a problem, 2 for a caller error.\n";

class Options {
public:
    Options(int argc, char **argv) {
        for (int i = 1; i < argc; i += 2) {
            const std::string_view name = argv[i];
            const bool known = name == "--key" || name == "--record" || name == "--quote" || name == "--policy" ||
                               name == "--url" || name == "--uid" || name == "--now";
            if (!known || i + 1 == argc) throw std::invalid_argument("see --help for its options");
            values_[name.substr(2)] = argv[i + 1];
        }
    }

    std::optional<std::string> operator[](std::string_view name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::map<std::string_view, std::string> values_;
};

std::string read(std::istream &stream) {
    std::string text(most_bytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

std::string read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + " cannot be read");
    return read(file);
}

std::optional<std::string> variable(const char *name) {
    const char *value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
}

/// Returns a random UUID (version 4).
std::string new_uid() {
    static constexpr char digits[] = "0123456789abcdef";
    std::random_device random;
    std::string uid = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
    for (char &c : uid) {
        const unsigned bits = random() % 16;
        if (c == 'x') c = digits[bits];
        if (c == 'y') c = digits[8 | (bits & 3)];
    }
    return uid;
}

/// Compares in constant time.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned differs = a.size() != b.size();
    for (std::size_t i = 0; i < a.size() && !b.empty(); ++i) differs |= static_cast<unsigned>(a[i] ^ b[i % b.size()]);
    return differs == 0;
}

/// Returns the context: identity, time, credential, price.
payspec::CreateContext context(const Options &given, payspec::Authorization authorization) {
    const auto now = given["now"].value_or(payspec::timestamp(std::chrono::system_clock::now()));
    payspec::CreateContext made(given["uid"].value_or(new_uid()), now, std::move(authorization));
    made.url = given["url"];
    if (const auto quote = given["quote"]) made.quote = read_file(*quote);
    return made;
}

/// Prints the outcome as HTTP, with its body unchanged.
void respond(const payspec::Outcome &outcome) {
    const std::string_view body = outcome.body();
    std::cout << "HTTP/1.1 " << outcome.status() << ' '
              << (outcome.ok() ? "Created" : payspec::json::text(payspec::json::member(body, "title").value())) << "\r\n"
              << "Content-Type: application/json\r\n"
              << "Content-Length: " << body.size() << "\r\n";
    if (const auto challenge = outcome.www_authenticate()) std::cout << "WWW-Authenticate: " << *challenge << "\r\n";
    if (!(std::cout << "\r\n" << body << std::flush)) throw std::runtime_error("standard output cannot be written");
    if (outcome.warnings() != "[]") std::cerr << "warnings: " << outcome.warnings() << '\n';
}

/// Creates the payment of an accepted request. Saves it under its key for the next request with this key.
payspec::Outcome create(const payspec::Engine &engine, const Options &given, payspec::CreateContext context,
                        const std::string &body) {
    const auto header = given["key"], record = given["record"];
    if (header) {
        payspec::Answer key = engine.idempotency_key(header);
        if (!key.accepted()) return payspec::Outcome(std::move(key));
        context.idempotency_key = key.text("key");
        // A gateway stores this in its database, under a unique key.
        if (record && std::filesystem::exists(*record)) context.existing = read_file(*record);
    }
    payspec::Outcome outcome = engine.create_payment(body, context);
    // A longer body was not read completely: only 413 does not depend on the rest.
    if (body.size() > most_bytes && outcome.status() != 413) throw std::runtime_error("the body is longer than 1 MiB");
    if (const auto text = outcome.record(context.now); text && record) {
        std::ofstream file(*record, std::ios::binary);
        if (!(file << *text).flush()) throw std::runtime_error(*record + " cannot be written");
    }
    return outcome;
}

payspec::Outcome answer(const payspec::Engine &engine, const Options &given, const std::string &body) {
    const auto token = variable("PAYSPEC_TOKEN"), header = variable("PAYSPEC_AUTHORIZATION");
    if (!token || token->empty()) throw std::runtime_error("PAYSPEC_TOKEN is not set");
    payspec::Answer credential = engine.authorize(header);
    if (!credential.accepted()) return payspec::Outcome(std::move(credential));
    if (same_secret(credential.text("token").value(), *token)) {
        return create(engine, given, context(given, {header, true}), body);
    }
    return engine.create_payment(body, context(given, {header, false}));
}

int run(int argc, char **argv) {
    const Options given(argc, argv);
    const std::string body = read(std::cin);
    const auto policy = given["policy"];
    const payspec::Engine engine = policy ? payspec::Engine(read_file(*policy)) : payspec::Engine();
    const payspec::Outcome outcome = answer(engine, given, body);
    respond(outcome);
    return outcome.ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--help") {
        std::cout << usage;
        return 0;
    }
    try {
        if (!payspec::abi_matches()) throw std::runtime_error("another libpayspec is installed");
        return run(argc, argv);
    } catch (const std::exception &error) {
        std::cerr << "create_payment: " << error.what() << '\n';
        return 2;
    }
}
