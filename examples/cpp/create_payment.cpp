// Answers POST /v1/payments/new: the request's body on standard input, the HTTP answer on standard output.
//
// Exit code: 0 for a success, 1 for a problem that the client gets, 2 for a caller error.

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <payspec.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "json.hpp"

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

/// Returns the current time (RFC 3339) with milliseconds.
std::string clock_now() {
    using namespace std::chrono;
    const auto now = system_clock::now();
    const auto fraction = duration_cast<milliseconds>(now.time_since_epoch()).count() % 1000;
    const std::time_t seconds = system_clock::to_time_t(time_point_cast<std::chrono::seconds>(now));
    char date[24], out[40];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", std::gmtime(&seconds));
    std::snprintf(out, sizeof out, "%s.%03dZ", date, static_cast<int>(fraction));
    return out;
}

/// Compares in constant time.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned differs = a.size() != b.size();
    for (std::size_t i = 0; i < a.size() && !b.empty(); ++i) differs |= static_cast<unsigned>(a[i] ^ b[i % b.size()]);
    return differs == 0;
}

/// Returns the context: identity, time, credential, price.
std::string context(const Options &given, const std::string &now, const std::string &header, bool accepted) {
    std::string out = "{\"uid\":" + json::quote(given["uid"].value_or(new_uid())) + ",\"now\":" + json::quote(now);
    out += ",\"authorization\":{\"header\":" + json::quote(header) + ",\"accepted\":" + (accepted ? "true}" : "false}");
    if (const auto url = given["url"]) out += ",\"url\":" + json::quote(*url);
    if (const auto quote = given["quote"]) out += ",\"quote\":" + read_file(*quote);
    if (const auto key = given["key"]) {
        // A gateway stores this in its database, under a unique key.
        const auto record = given["record"];
        const bool known = record && std::filesystem::exists(*record);
        out += ",\"idempotency\":{\"key\":" + json::quote(*key) + ",\"existing\":";
        out += (known ? read_file(*record) : "null") + "}";
    }
    return out += '}';
}

/// Saves a new payment under its key for the next request with this key.
void store(const std::string &record, const std::string &now, std::string_view outcome) {
    if (json::member(outcome, "replayed") != "false") return;
    std::ofstream file(record, std::ios::binary);
    file << "{\"created_at\":" << json::quote(now)
         << ",\"fingerprint\":" << json::member(outcome, "fingerprint").value()
         << ",\"payment\":" << json::member(outcome, "body").value() << "}";
    if (!file.flush()) throw std::runtime_error(record + " cannot be written");
}

/// Prints the outcome as HTTP, with its body unchanged.
void respond(std::string_view outcome, payspec::Verdict verdict) {
    const std::string_view body = json::member(outcome, "body").value();
    const bool success = verdict == payspec::Verdict::accepted;
    std::cout << "HTTP/1.1 " << json::member(outcome, "status").value() << ' '
              << (success ? "Created" : json::text(json::member(body, "title").value())) << "\r\n"
              << "Content-Type: application/json\r\n"
              << "Content-Length: " << body.size() << "\r\n";
    if (const auto challenge = json::member(outcome, "www_authenticate")) {
        std::cout << "WWW-Authenticate: " << json::text(*challenge) << "\r\n";
    }
    if (!(std::cout << "\r\n" << body << std::flush)) throw std::runtime_error("standard output cannot be written");
    if (const auto warnings = json::member(outcome, "warnings")) std::cerr << "warnings: " << *warnings << '\n';
}

int run(int argc, char **argv) {
    const Options given(argc, argv);
    const auto token = variable("PAYSPEC_TOKEN"), header = variable("PAYSPEC_AUTHORIZATION");
    if (!token || token->empty()) throw std::runtime_error("PAYSPEC_TOKEN is not set");
    const std::string now = given["now"] ? *given["now"] : clock_now();
    const std::string body = read(std::cin);

    const payspec::Engine engine = given["policy"] ? payspec::Engine(read_file(*given["policy"])) : payspec::Engine();
    payspec::Buffer answer;
    auto verdict = engine.authorize(header, answer);
    if (verdict == payspec::Verdict::accepted) {
        const bool accepted = same_secret(json::text(json::member(answer.view(), "token").value()), *token);
        verdict = engine.create_payment(body, context(given, now, *header, accepted), answer);
        const bool created = verdict == payspec::Verdict::accepted;
        // A longer body was not read completely: only 413 and 401 do not depend on the rest.
        const auto status = json::member(answer.view(), "status").value();
        if (body.size() > most_bytes && status != "413" && status != "401") {
            throw std::runtime_error("the body is longer than 1 MiB");
        }
        if (const auto record = given["record"]; created && given["key"] && record) store(*record, now, answer.view());
    }
    respond(answer.view(), verdict);
    return verdict == payspec::Verdict::accepted ? 0 : 1;
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
