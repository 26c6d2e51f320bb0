// Just enough JSON to write a context and to find a member in an answer of the library. If your program has a JSON
// library, use that instead.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace json {

/// Returns a JSON string: quoted and escaped.
inline std::string quote(std::string_view text) {
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

/// Returns the end of the string that starts at `at`: the index after its closing quote.
inline std::size_t past_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return at + 1;
}

/// Returns the end of the value that starts at `at`: the index of the comma or bracket after it.
inline std::size_t past_value(std::string_view text, std::size_t at) {
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

/// Returns the JSON of the member `name` in an object that the library wrote.
inline std::optional<std::string_view> member(std::string_view object, std::string_view name) {
    // `at` is the brace or comma before a name.
    for (std::size_t at = 0; at + 1 < object.size() && object[at + 1] == '"';) {
        const std::size_t value = past_string(object, at + 1) + 1;
        const std::size_t end = past_value(object, value);
        if (value > object.size()) break;
        if (object.substr(at + 2, value - at - 4) == name) return object.substr(value, end - value);
        at = end;
    }
    return std::nullopt;
}

/// Returns the text of a string whose only escapes are quotes and backslashes.
inline std::string text(std::string_view string) {
    std::string out;
    for (std::size_t at = 1; at + 1 < string.size(); ++at) {
        if (string[at] == '\\') ++at;
        out += string[at];
    }
    return out;
}

}  // namespace json
