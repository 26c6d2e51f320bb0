package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const body = `{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}`

// The binary of the test is also the program.
func TestMain(m *testing.M) {
	if os.Getenv("CREATE_PAYMENT") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func program(t *testing.T, header, body string, arguments ...string) (code int, output, problem string) {
	t.Helper()
	command := exec.Command(os.Args[0], arguments...)
	command.Env = append(os.Environ(), "CREATE_PAYMENT=1", "PAYSPEC_TOKEN=secret", "PAYSPEC_AUTHORIZATION="+header)
	command.Stdin = strings.NewReader(body)
	var out, err bytes.Buffer
	command.Stdout, command.Stderr = &out, &err
	var ended *exec.ExitError
	if failed := command.Run(); failed != nil && !errors.As(failed, &ended) {
		t.Fatal(failed)
	}
	return command.ProcessState.ExitCode(), out.String(), err.String()
}

func TestRejectsLongBody(t *testing.T) {
	folder := t.TempDir()
	lax, record := filepath.Join(folder, "policy.json"), filepath.Join(folder, "record.json")
	if err := os.WriteFile(lax, []byte(`{"limits":{"body_bytes":4194304}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	long := body + strings.Repeat(" ", mostBytes-len(body))
	if code, output, _ := program(t, "Bearer secret", long, "-policy", lax); code != 0 {
		t.Error(code, output)
	}
	long += "x"
	if code, output, _ := program(t, "Bearer secret", long); code != 1 || !strings.HasPrefix(output, "HTTP/1.1 413 ") {
		t.Error(code, output)
	}
	code, output, _ := program(t, "Bearer other", long, "-policy", lax)
	if code != 1 || !strings.HasPrefix(output, "HTTP/1.1 401 ") {
		t.Error(code, output)
	}
	// Truncated after the spaces, it would be a valid request.
	long = strings.TrimSuffix(long, "x") + " x"
	var problem string
	code, output, problem = program(t, "Bearer secret", long, "-policy", lax, "-key", "k", "-record", record)
	if code != 2 || output != "" || !strings.Contains(problem, "1 MiB") {
		t.Error(code, output, problem)
	}
	if _, err := os.Stat(record); err == nil {
		t.Error("a payment was stored")
	}
}

func TestReportsInvalidArguments(t *testing.T) {
	for _, arguments := range [][]string{
		{"-now", "2026-11-20 10:15:30Z"}, {"-now", ""}, {"-url", ""}, {"-url", "a\xff"}, {"-uid", ""}, {"-policy", ""},
	} {
		if code, output, problem := program(t, "Bearer secret", body, arguments...); code != 2 || output != "" {
			t.Error(arguments, code, output, problem)
		}
	}
	code, output, _ := program(t, "Bearer secret", body, "-key", "a\xff")
	if code != 1 || !strings.HasPrefix(output, "HTTP/1.1 400 ") {
		t.Error(code, output)
	}
	code, output, _ = program(t, "Bearer a\xff", body)
	if code != 1 || !strings.HasPrefix(output, "HTTP/1.1 401 ") {
		t.Error(code, output)
	}
}

func TestRepeatsStoredPayment(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record.json")
	arguments := []string{"-key", "k", "-record", record, "-now", "2026-11-20T10:15:30.25Z"}
	code, first, _ := program(t, "Bearer secret", body, arguments...)
	if code != 0 {
		t.Fatal(first)
	}
	text, err := os.ReadFile(record)
	if err != nil || !strings.Contains(string(text), `"created_at":"2026-11-20T10:15:30.25Z"`) {
		t.Fatal(string(text), err)
	}
	// Another program may have stored it in this form.
	text = bytes.Replace(text, []byte(`"payment":{`), []byte(`"payment":{ `), 1)
	if err := os.WriteFile(record, text, 0o600); err != nil {
		t.Fatal(err)
	}
	code, again, _ := program(t, "Bearer secret", body, arguments...)
	_, stored, _ := strings.Cut(first, "\r\n\r\n{")
	if code != 0 || !strings.HasSuffix(again, "\r\n\r\n{ "+stored) {
		t.Error(again)
	}
}
