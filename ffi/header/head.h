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
 * § numbers are those of the service's specification. README.md shows bodies, contexts and answers, and lists what a
 * policy can set; payspec_rules, payspec_decisions and payspec_openapi tell the rest.
 *
 * THE CONTRACT, the same for every function below.
 *
 * Inputs. A pointer and a length in bytes; no NUL is needed behind them, and one within them is a byte like any other.
 * They are read during the call and never kept. A body came off the wire: whatever it holds, the answer is a report and
 * never an error. Contexts, policies and plain texts are the caller's own: what is wrong with them is misuse.
 *
 * Returns. PAYSPEC_ACCEPTED (0), PAYSPEC_REJECTED (1), or a negative number for misuse, PAYSPEC_ERROR_...; then the
 * buffer holds {"error":{"code":"...","path":"...","message":"..."}}, whose path names the argument ("/body") or the
 * member of the context or policy ("/quote/rate"). No message ever holds a value from a body. The numbers are never
 * used again for something else.
 *
 * NULL. A missing input is NULL with length 0. PAYSPEC_ERROR_ARGUMENT is returned for a missing required input, a NULL
 * with a length, and a NULL engine. Length 0 with any other pointer is an empty text: an empty body is rejected with a
 * report. `out` may always be NULL: only the number is computed, which is fastest. The two functions that free take NULL.
 *
 * Ownership. What the library makes, the library frees: engines by payspec_engine_free, buffers by payspec_buf_free,
 * both exactly once, never by free(). Inputs stay the caller's. Texts of payspec_version are nobody's to free.
 *
 * Buffers. Zero a payspec_buf before its first use and pass it to as many calls as you like: each call replaces what
 * the one before has left, and allocates only where its memory is too small. Otherwise no call with valid inputs
 * allocates, up to four warnings, eight members that the interface has not, 64 values for a fingerprint, 64 members of a
 * body that is carried over and 16 of its details, 16 receipts, texts of 1024 bytes with a card number to mask; a payment
 * that repeats a text with escapes, or one in which a card number is masked, takes memory for it. `data` is valid until
 * the buffer's next use, with a NUL one past `len`. An input may lie in the memory of `out` itself: the answer then gets
 * memory of its own, and the input is gone after the call. A buffer that is visibly not the library's (data without cap,
 * cap without data) is PAYSPEC_ERROR_ARGUMENT and stays as it was; other corruption cannot be seen.
 *
 * Threads. An engine never changes: any number of threads may use it at once, without a lock; free it after the last
 * call has returned. A payspec_buf belongs to one thread at a time, and may wander from one to another. The library
 * has no state of its own besides: no globals, no thread locals, no errno, no locale, no clock, no files, no network.
 *
 * Fork and signals. The library starts no thread and holds no lock: an engine made before fork() may be used by parent
 * and child, each of which frees its own copy. Calls may allocate and are therefore not for signal handlers.
 *
 * Panics. Nothing unwinds into C, throws or jumps. A panic inside, which would be a bug, is caught: the call returns
 * PAYSPEC_ERROR_PANIC, the buffer tells so, and engine and buffer can be used on. One line goes to standard error; it
 * holds a place in the source, never a body. Out of memory, the process is aborted, as is the custom in Rust.
 *
 * Undefined, since it cannot be seen: pointers that do not point at what is said here, an engine or buffer used after
 * it was freed, an input that another thread changes during the call, a buffer used by two threads at once.
 */
