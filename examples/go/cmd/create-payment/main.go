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
	"strings"
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
		accepted := subtle.ConstantTimeCompare([]byte(found), []byte(token)) == 1
		context, err := newContext(payspec.Authorization{Header: string(header), Accepted: accepted})
		if err != nil {
			return false, err
		}
		if outcome, err = engine.CreatePayment(body, context); err != nil {
			return false, err
		}
		// A longer body was not read completely: only 413 and 401 do not depend on the rest.
		if len(body) > mostBytes && outcome.Status != 413 && outcome.Status != 401 {
			return false, errors.New("the body is longer than 1 MiB")
		}
		if err = store(context["now"], outcome); err != nil {
			return false, err
		}
	}
	return outcome.OK(), respond(outcome)
}

// newContext returns the context: identity, time, credential, price. It is a map instead of a CreateContext, so that the
// library checks the unchanged -now and files.
func newContext(authorization payspec.Authorization) (map[string]any, error) {
	context := map[string]any{"uid": *uid, "now": *now, "authorization": authorization}
	if !given("uid") {
		context["uid"] = newUID()
	}
	if !given("now") {
		context["now"] = time.Now()
	}
	if given("url") {
		context["url"] = *url
	}
	if given("quote") {
		text, err := read(*quote)
		if err != nil {
			return nil, err
		}
		context["quote"] = text
	}
	if given("key") {
		stored := json.RawMessage("null")
		if given("record") {
			// A gateway stores this in its database, under a unique key.
			text, err := read(*record)
			if err == nil {
				stored = text
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		// Bytes that are not UTF-8 become U+FFFD, which no key contains: the answer is 400.
		context["idempotency"] = map[string]any{"key": strings.ToValidUTF8(*key, "\uFFFD"), "existing": stored}
	}
	return context, nil
}

// store saves a new payment under its key for the next request with this key.
func store(now any, outcome *payspec.Outcome) error {
	if !outcome.OK() || outcome.Replayed || !given("key") || !given("record") {
		return nil
	}
	text, err := payspec.Marshal(map[string]any{
		"created_at": now, "fingerprint": outcome.Fingerprint, "payment": outcome.Body,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(*record, text, 0o600)
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

func read(path string) (json.RawMessage, error) {
	text, err := os.ReadFile(path)
	if err == nil && !json.Valid(text) {
		err = fmt.Errorf("%s: not JSON", path)
	}
	return text, err
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
