/*
 * payspec: the interface of a payment service as a library. Version @VERSION@.
 *
 * Generated from the sources in ffi/ by `cargo xtask header`; edit those, not this file.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *     payspec_engine *engine = NULL;
 *     payspec_buf report = {0};
 *     if (payspec_engine_new(NULL, 0, &engine, NULL) != PAYSPEC_ACCEPTED) abort();
 *     int32_t verdict = payspec_validate_request(engine, body, body_len, NULL, 0, &report);
 *     if (verdict == PAYSPEC_REJECTED) fprintf(stderr, "%s\n", report.data);
 *     payspec_buf_free(&report);
 *     payspec_engine_free(engine);
 *
 * § refers to the specification of the service. docs/src/reference has examples of bodies, contexts, and answers, and
 * lists the members of a policy. payspec_rules, payspec_decisions, and payspec_openapi return the remaining
 * documentation.
 *
 * The following applies to every function below.
 *
 * Inputs. Each input is a pointer and a length in bytes. No NUL is needed at the end, and a NUL inside is an ordinary
 * byte. Inputs are read only during the call. A body is untrusted and may contain anything: an invalid body results in
 * a report, never in an error. Contexts, policies, and plain texts are supplied by the caller: if one is invalid, the
 * call fails with an error.
 *
 * Returns. PAYSPEC_ACCEPTED (0), PAYSPEC_REJECTED (1), or a negative number, PAYSPEC_ERROR_..., if the call failed. A
 * call that failed writes {"error":{"code":"...","path":"...","message":"..."}} to the buffer. `path` is the JSON
 * Pointer of the argument ("/body") or of the member of the context or policy ("/quote/rate"). No message contains a
 * value from a body. A number is never reused with another meaning.
 *
 * NULL. Pass NULL, 0 for a missing input. PAYSPEC_ERROR_ARGUMENT is returned if a required input is missing, if a
 * pointer is NULL and its length is not 0, or if the engine is NULL. Length 0 with another pointer is an empty text:
 * an empty body is rejected with a report. `out` may be NULL: then only the return code is computed, which is the
 * fastest. payspec_engine_free and payspec_buf_free accept NULL. payspec_batch documents the rules for its arrays.
 *
 * Ownership. The library owns what it allocates: free engines with payspec_engine_free and buffers with
 * payspec_buf_free, each exactly once, and never with free(). Inputs remain the property of the caller. The text of
 * payspec_version is static; do not free it.
 *
 * Buffers. Zero a payspec_buf before its first use and pass it to any number of calls. Each call replaces the text, and
 * allocates memory if the buffer is too small. `data` is valid until the next use of the buffer, and followed by a NUL.
 * An input may be in the memory of `out`: the answer is then written to new memory, and the input is freed when the
 * call ends. A buffer that the library cannot have filled (data without cap, or cap without data) is not changed, and
 * PAYSPEC_ERROR_ARGUMENT is returned; other corruption is not detected.
 *
 * Allocation. payspec_validate_request allocates no memory if the body is valid, the report has at most four warnings,
 * and the buffer is large enough or NULL. Other functions may allocate.
 *
 * Threads. No call changes an engine: any number of threads may use it at the same time, without a lock. Free it after
 * the last call has returned. A payspec_buf is used by one thread at a time, and may be moved between threads. The
 * library has no other state: no globals, thread locals, errno, locale, clock, files, or network.
 *
 * Fork and signals. The library starts no thread and holds no lock: after fork(), parent and child may both use an
 * engine created before, and each frees its own copy. Calls may allocate; do not make them in signal handlers.
 *
 * Panics. No call unwinds into C, throws, or jumps. A panic is a bug in the library, and is caught: the call returns
 * PAYSPEC_ERROR_PANIC, `out` contains the error, and engine and buffer remain usable. One line is written to standard
 * error; it contains a location in the source, never a body. If memory cannot be allocated, the process is aborted.
 *
 * Undefined behavior, since it cannot be detected: pointers that do not meet these requirements, an engine or buffer
 * that is used after it was freed, an input that another thread changes during the call, a buffer that two threads use
 * at the same time.
 */
