// Command create-payment answers POST /v1/payments/new: the request's body on standard input, the HTTP answer on
// standard output. Its exit code is 0 for a success, 1 for a problem that the client gets, 2 for a caller error.
package main

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"payspec.example/payspec"
)

// Well over the 65536 bytes of the default policy. A longer body is rejected even if the policy allows it.
const mostBytes = 1 << 20

var (
	key    = flag.String("key", "", "the request's Idempotency-Key header")
	record = flag.String("record", "", "`file` with what is stored under the key; written if new")
	quote  = flag.String("quote", "", "`file` for CRYPTO: {\"currency\", \"rate\", \"as_of\"}")
	policy = flag.String("policy", "", "`file` with the policy")
	url    = flag.String("url", "", "where the client completes the payment")
	uid    = flag.String("uid", "", "the payment's uid; a new one without it")
	now    = flag.String("now", "", "the time, RFC 3339; the clock's without it")
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: create-payment [options] < body\n\n"+
			"PAYSPEC_AUTHORIZATION: the request's Authorization header. PAYSPEC_TOKEN: the token that is accepted.\n"+
			"Exit code: 0 for a success, 1 for a problem, 2 for a caller error.")
		flag.PrintDefaults()
	}
	flag.Parse()
	ok, err := run()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "create-payment:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

func run() (ok bool, err error) {
	if flag.NArg() > 0 {
		return false, fmt.Errorf("unexpected argument, see --help")
	}
	token := os.Getenv("PAYSPEC_TOKEN")
	if token == "" {
		return false, errors.New("PAYSPEC_TOKEN is not set")
	}
	body, err := io.ReadAll(io.LimitReader(os.Stdin, mostBytes+1))
	if err != nil {
		return false, err
	}
	var rules []byte
	if given("policy") {
		if rules, err = os.ReadFile(*policy); err != nil {
			return false, err
		}
	}
	engine, err := payspec.New(rules)
	if err != nil {
		return false, err
	}
	defer engine.Close()

	var header []byte
	if value, given := os.LookupEnv("PAYSPEC_AUTHORIZATION"); given {
		header = []byte(value)
	}
	found, outcome, err := engine.Authorize(header)
	if err != nil {
		return false, err
	}
	if outcome == nil {
		authorization := payspec.Authorization{Header: string(header), Accepted: same(found, token)}
		if outcome, err = create(engine, body, authorization); err != nil {
			return false, err
		}
		// A longer body was not read completely: only 413 and 401 do not depend on the rest.
		if len(body) > mostBytes && outcome.Status != 413 && outcome.Status != 401 {
			return false, errors.New("the body is longer than 1 MiB")
		}
	}
	return outcome.OK(), respond(outcome)
}

// same compares in constant time.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// create answers a request with a well-formed credential, and saves a new payment under its key.
func create(engine *payspec.Engine, body []byte, authorization payspec.Authorization) (*payspec.Outcome, error) {
	context := payspec.CreateContext{UID: newUID(), Now: time.Now(), Authorization: authorization}
	if given("uid") {
		context.UID = *uid
	}
	if given("now") {
		parsed, err := time.Parse(time.RFC3339Nano, *now)
		if err != nil {
			return nil, fmt.Errorf("-now: %w", err)
		}
		context.Now = parsed
	}
	if given("url") {
		context.URL = url
	}
	if given("quote") {
		if err := read(*quote, &context.Quote); err != nil {
			return nil, err
		}
	}
	if !given("key") || !authorization.Accepted {
		return engine.CreatePayment(body, context)
	}
	parsed, rejected, err := engine.IdempotencyKey([]byte(*key))
	if err != nil || rejected != nil {
		return rejected, err
	}
	context.Idempotency = &payspec.Idempotency{Key: parsed}
	if given("record") {
		// A gateway stores this in its database, under a unique key.
		if err := read(*record, &context.Idempotency.Existing); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	outcome, err := engine.CreatePayment(body, context)
	if err != nil {
		return nil, err
	}
	if created := outcome.Record(context.Now); created != nil && given("record") && len(body) <= mostBytes {
		text, err := payspec.Marshal(created)
		if err != nil {
			return nil, err
		}
		return outcome, os.WriteFile(*record, text, 0o600)
	}
	return outcome, nil
}

// respond prints the outcome as HTTP, with its body unchanged.
func respond(outcome *payspec.Outcome) error {
	reason := "Created"
	if problem := outcome.Problem(); problem != nil {
		reason = problem.Title
	}
	fmt.Printf("HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
		outcome.Status, reason, len(outcome.Body))
	if outcome.WWWAuthenticate != "" {
		fmt.Printf("WWW-Authenticate: %s\r\n", outcome.WWWAuthenticate)
	}
	for _, warning := range outcome.Warnings {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", warning.Path, warning.Message)
	}
	_, err := fmt.Printf("\r\n%s", outcome.Body)
	return err
}

func given(name string) (found bool) {
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

func read(path string, value any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// newUID returns a random UUID (version 4).
func newUID() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
