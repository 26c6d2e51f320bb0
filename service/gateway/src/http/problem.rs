//! Problems of HTTP itself, for which the specification has no code (RFC 9457).

use serde_json::{Value, json};

/// A problem of type `about:blank`.
pub struct HttpProblem {
    /// The status of the response.
    pub status: u16,
    /// The name of the response in the OpenAPI document, if it is part of it.
    pub name: Option<&'static str>,
    /// Whether only a request with a body gets it.
    pub needs_body: bool,
    /// The text for people.
    pub detail: &'static str,
}

macro_rules! problems {
    ($($status:literal $(as $name:literal)? $(for $needs:ident)? $detail:literal;)*) => {
        /// The problems, by their status. The OpenAPI document and the book list those with a name.
        pub static HTTP_PROBLEMS: &[HttpProblem] = &[$(HttpProblem {
            status: $status,
            name: problems!(@name $($name)?),
            needs_body: problems!(@needs $($needs)?),
            detail: $detail,
        }),*];
    };
    (@name $name:literal) => { Some($name) };
    (@name) => { None };
    (@needs body) => { true };
    (@needs) => { false };
}

problems! {
    400 "The body has not arrived, or a header is not valid.";
    401 "The request needs a token in the header Authorization.";
    403 "The request comes from another page, or its host is not known here.";
    404 "There is no such path, or nothing at this path.";
    405 "The path has no such method.";
    408 as "RequestTimeout" for body "The body did not arrive in time. Nothing was done.";
    409 "The order has a session with another amount.";
    413 "The body is too large.";
    415 as "UnsupportedMediaType" for body "The body needs Content-Type: application/json, and no Content-Encoding. Nothing was done.";
    422 "The body is not an object that this path accepts.";
    429 as "TooManyRequests" "The merchant or the address is at a limit. Nothing was done. Repeat the request after Retry-After.";
    500 as "InternalError" "The service has a fault. Whether anything was done is not known.";
    503 as "Unavailable" "The service cannot serve now. Whether a payment was made is not known: repeat the request with the same idempotency key.";
}

/// Returns the body of a problem that its status describes.
pub fn http_problem(status: u16) -> Value {
    let known = HTTP_PROBLEMS
        .iter()
        .find(|problem| problem.status == status);
    let title = http_title(status);
    match known {
        Some(problem) => {
            json!({"type": "about:blank", "title": title, "status": status, "detail": problem.detail})
        }
        None => json!({"type": "about:blank", "title": title, "status": status}),
    }
}

/// Returns the standard phrase of a status.
pub(super) fn http_title(status: u16) -> &'static str {
    axum::http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason())
        .unwrap_or("Error")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/src/reference/http-problems.md"
    );

    /// Returns the page of the book.
    fn page() -> String {
        let rows: String = HTTP_PROBLEMS
            .iter()
            .map(|problem| {
                let (status, title) = (problem.status, http_title(problem.status));
                format!("| {status} | {title} | {} |\n", problem.detail)
            })
            .collect();
        format!(
            "# Problems of HTTP\n\n\
             The gateway and the sandbox answer some requests themselves, before or instead of the library. Such an answer is a problem\n\
             of RFC 9457 without a `code`:\n\n\
             ```json\n{}\n```\n\n\
             | status | `title` | `detail` |\n|---|---|---|\n{rows}\n\
             - 429 and 503 have the header `Retry-After`, in seconds.\n\
             - 415 has the header `Accept-Encoding: identity` if the body had a `Content-Encoding`.\n\
             - The OpenAPI document at `/openapi.json` lists 408, 415, 429, 500, and 503 for each endpoint that may return them.\n\
             - The endpoints of the page and of operators add the `path` of a member that is not valid.\n",
            http_problem(415)
        )
    }

    #[test]
    fn the_book_lists_the_problems() {
        let page = page();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(PAGE, &page).unwrap();
        }
        let written = std::fs::read_to_string(PAGE).unwrap_or_default();
        assert_eq!(written, page, "BLESS=1 writes {PAGE}");
    }

    #[test]
    fn a_problem_has_the_detail_of_its_status() {
        for problem in HTTP_PROBLEMS {
            let body = http_problem(problem.status);
            assert_eq!(body["detail"], problem.detail);
            assert_ne!(body["title"], "Error", "{}", problem.status);
        }
        let other = http_problem(418);
        assert!(other.get("detail").is_none() && other["status"] == 418);
    }
}
