// Package payspec is the interface of a payment service as a library: it validates requests and builds the exact
// responses. It wraps the C library libpayspec.
//
// Input of a client never causes an error: the result is a Report, or an Outcome with the status to send. An *Error
// is a caller error: an invalid context, an invalid policy, or a closed Engine.
package payspec

/*
#include <payspec.h>

// Go cannot call a C function by its address, so these functions do.
typedef int32_t (*payspec_op0)(const payspec_engine *, payspec_buf *);
typedef int32_t (*payspec_op1)(const payspec_engine *, const char *, size_t, payspec_buf *);
typedef int32_t (*payspec_op2)(const payspec_engine *, const char *, size_t, const char *, size_t, payspec_buf *);

static int32_t payspec_call0(payspec_op0 f, const payspec_engine *e, payspec_buf *out) { return f(e, out); }
static int32_t payspec_call1(payspec_op1 f, const payspec_engine *e, const char *a, size_t an, payspec_buf *out) {
	return f(e, a, an, out);
}
static int32_t payspec_call2(payspec_op2 f, const payspec_engine *e, const char *a, size_t an, const char *b, size_t bn,
	payspec_buf *out) {
	return f(e, a, an, b, bn, out);
}
*/
import "C"

import (
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Error is a caller error: there is no response for the client. It never contains a value, only a path.
type Error struct {
	// Code is argument, utf8, panic, context, policy, or closed for an engine that is closed.
	Code string `json:"code"`
	// Path is the JSON Pointer (RFC 6901) of the invalid member; empty for the whole input.
	Path string `json:"path"`
	// Message describes the expected value.
	Message string `json:"message"`
}

// Error returns a text with the kind, the path, and the expectation.
func (e *Error) Error() string {
	place := e.Path
	if place == "" {
		place = "the input"
	}
	return fmt.Sprintf("payspec: %s error at %s: %s", e.Code, place, e.Message)
}

// ErrClosed is the error of every call of an engine that is closed, nil, or not created by New.
var ErrClosed error = &Error{Code: "closed", Message: "the engine is closed"}

// Engine is created from a policy and never changes: any number of goroutines may share it.
type Engine struct {
	mu     sync.RWMutex // held for reading by calls, for writing by Close
	handle *C.payspec_engine
}

// New creates an engine from a policy in JSON, or from the default policy if it is nil.
func New(policy []byte) (*Engine, error) {
	if found := C.payspec_abi_version(); found != C.PAYSPEC_ABI_VERSION {
		return nil, fmt.Errorf("payspec: the library has the ABI %d, the header %d", found, C.PAYSPEC_ABI_VERSION)
	}
	e, out := &Engine{}, take()
	defer give(out)
	data, size := text(policy)
	if status := C.payspec_engine_new(data, size, &e.handle, &out.c); status < 0 {
		return nil, out.error()
	}
	runtime.SetFinalizer(e, (*Engine).Close)
	return e, nil
}

// Close frees the engine after the last call that is running. Later calls fail. Close may be called twice. The garbage
// collector frees an engine that is never closed.
func (e *Engine) Close() error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.handle == nil {
		return nil // already closed, or not created by New: without a finalizer, SetFinalizer(e, nil) could panic
	}
	C.payspec_engine_free(e.handle)
	e.handle = nil
	runtime.SetFinalizer(e, nil)
	return nil
}

// Version returns the version of the linked library.
func Version() string { return C.GoString(C.payspec_version()) }

// Call runs an operation by its name and returns the answer unchanged, and whether it is accepted. The inputs are those
// of the C function, in order; an optional input may be nil or omitted.
func (e *Engine) Call(operation string, inputs ...[]byte) (answer []byte, accepted bool, err error) {
	do, known := operations[operation]
	if !known {
		return nil, false, fmt.Errorf("payspec: there is no operation %q", operation)
	}
	if len(inputs) > do.inputs {
		return nil, false, fmt.Errorf("payspec: %s takes %d inputs, not %d", operation, do.inputs, len(inputs))
	}
	var a, b []byte
	if len(inputs) > 0 {
		a = inputs[0]
	}
	if len(inputs) > 1 {
		b = inputs[1]
	}
	if e == nil {
		return nil, false, ErrClosed
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.handle == nil {
		return nil, false, ErrClosed
	}
	out := take()
	defer give(out)
	var status C.int32_t
	first, firstSize := text(a)
	second, secondSize := text(b)
	switch do.inputs {
	case 0:
		status = C.payspec_call0(C.payspec_op0(do.function), e.handle, &out.c)
	case 1:
		status = C.payspec_call1(C.payspec_op1(do.function), e.handle, first, firstSize, &out.c)
	default:
		status = C.payspec_call2(C.payspec_op2(do.function), e.handle, first, firstSize, second, secondSize, &out.c)
	}
	if status < 0 {
		return nil, false, out.error()
	}
	return out.bytes(), status == C.PAYSPEC_ACCEPTED, nil
}

// Accepts returns only the verdict of ValidateRequest, which is faster. Unless now is zero, expired cards are rejected.
func (e *Engine) Accepts(body []byte, now time.Time) (bool, error) {
	body, at := present(body), timestamp(now)
	status, err := e.verdict(body, at)
	if err != nil || status >= 0 {
		return status == C.PAYSPEC_ACCEPTED, err
	}
	_, accepted, err := e.Call("validate_request", body, at) // with the error in its answer
	return accepted, err
}

func (e *Engine) verdict(body, now []byte) (C.int32_t, error) {
	if e == nil {
		return -1, ErrClosed
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.handle == nil {
		return -1, ErrClosed
	}
	data, size := text(body)
	at, atSize := text(now)
	return C.payspec_validate_request(e.handle, data, size, at, atSize, nil), nil
}

// Answer is the answer to one body of a batch.
type Answer struct {
	JSON     []byte
	Accepted bool
}

// Batch runs an operation whose first input is a body, such as validate_request, with each of the bodies, and returns the
// answers in their order. The bodies share the second input, which is parsed once and may be nil. If it is invalid, no body
// is read.
func (e *Engine) Batch(operation string, bodies [][]byte, context []byte) ([]Answer, error) {
	offsets := make([]int64, 1, len(bodies)+1)
	var data []byte
	for _, body := range bodies {
		data = append(data, body...)
		offsets = append(offsets, int64(len(data)))
	}
	returns, ends := make([]int8, len(offsets)), make([]int64, len(offsets))
	if e == nil {
		return nil, ErrClosed
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.handle == nil {
		return nil, ErrClosed
	}
	out := take()
	defer give(out)
	name, nameSize := text([]byte(operation))
	column, _ := text(data)
	shared, sharedSize := text(context)
	status := C.payspec_batch(e.handle, name, nameSize, column, (*C.int64_t)(&offsets[0]),
		C.size_t(len(bodies)), shared, sharedSize, (*C.int8_t)(&returns[0]), &out.c,
		(*C.int64_t)(&ends[0]))
	if status < 0 {
		return nil, out.error()
	}
	all := out.bytes()
	answers := make([]Answer, len(bodies))
	for n, code := range returns[:len(bodies)] {
		answer := all[ends[n]:ends[n+1]:ends[n+1]]
		if code < 0 {
			return nil, errorOf(answer) // the library panicked
		}
		answers[n] = Answer{answer, code == C.PAYSPEC_ACCEPTED}
	}
	return answers, nil
}

// Operations returns the names of the operations that Call runs.
func Operations() []string {
	names := make([]string, 0, len(operations))
	for name := range operations {
		names = append(names, name)
	}
	return names
}

type operation struct {
	inputs   int
	function unsafe.Pointer
}

var operations = map[string]operation{
	"validate_request":    {2, C.payspec_validate_request},
	"create_payment":      {2, C.payspec_create_payment},
	"read_payment":        {1, C.payspec_read_payment},
	"read_balance":        {1, C.payspec_read_balance},
	"check_payment":       {2, C.payspec_check_payment},
	"field_currencies":    {1, C.payspec_field_currencies},
	"convert":             {1, C.payspec_convert},
	"advance_payment":     {1, C.payspec_advance_payment},
	"check_transition":    {1, C.payspec_check_transition},
	"states":              {0, C.payspec_states},
	"check_idempotency":   {1, C.payspec_check_idempotency},
	"idempotency_key":     {1, C.payspec_idempotency_key},
	"fingerprint_request": {1, C.payspec_fingerprint_request},
	"authorize":           {1, C.payspec_authorize},
	"upgrade_request":     {2, C.payspec_upgrade_request},
	"downgrade_request":   {1, C.payspec_downgrade_request},
	"upgrade_balance":     {1, C.payspec_upgrade_balance},
	"downgrade_balance":   {1, C.payspec_downgrade_balance},
	"upgrade_payment":     {1, C.payspec_upgrade_payment},
	"downgrade_payment":   {1, C.payspec_downgrade_payment},
	"redact":              {1, C.payspec_redact},
	"redact_text":         {1, C.payspec_redact_text},
	"sign_webhook":        {2, C.payspec_sign_webhook},
	"verify_webhook":      {2, C.payspec_verify_webhook},
	"locate":              {2, C.payspec_locate},
	"card_info":           {1, C.payspec_card_info},
	"compare_policies":    {1, C.payspec_compare_policies},
	"rules":               {0, C.payspec_rules},
	"decisions":           {0, C.payspec_decisions},
	"openapi":             {0, C.payspec_openapi},
}

// text returns an input in the form of the C API: nil is an absent input, an empty slice an empty one.
func text(input []byte) (*C.char, C.size_t) {
	switch {
	case input == nil:
		return nil, 0
	case len(input) == 0:
		return (*C.char)(unsafe.Pointer(&nothing[0])), 0
	}
	return (*C.char)(unsafe.Pointer(&input[0])), C.size_t(len(input))
}

var nothing = []byte{0}

// present returns a required input: nil becomes empty.
func present(input []byte) []byte {
	if input == nil {
		return nothing[:0]
	}
	return input
}

// buffer is memory of the library, reused by calls and freed after the pool has dropped it.
type buffer struct{ c C.payspec_buf }

var buffers = sync.Pool{New: func() any {
	created := &buffer{}
	runtime.SetFinalizer(created, func(b *buffer) { C.payspec_buf_free(&b.c) })
	return created
}}

func take() *buffer  { return buffers.Get().(*buffer) }
func give(b *buffer) { buffers.Put(b) }

// bytes returns a copy. (C.GoBytes has a length of 32 bits.)
func (b *buffer) bytes() []byte {
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(b.c.data)), b.c.len)...)
}

func (b *buffer) error() error { return errorOf(b.bytes()) }

func errorOf(text []byte) error {
	var answer struct{ Error *Error }
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	return answer.Error
}
