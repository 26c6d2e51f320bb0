// Writes contexts.

package payspec

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"time"
	"unicode/utf8"
)

// Marshal writes JSON as json.Marshal does, with two differences. The output of a json.Marshaler, such as a
// json.RawMessage with a stored Payment, is copied byte for byte: whitespace stays and nothing is escaped. A string that
// is not UTF-8 is an *Error; it is not repaired. So is a zero time.Time, which is a forgotten one. A context that is a
// json.RawMessage is passed on unchanged.
//
// Of the options in json tags it supports omitempty only.
func Marshal(context any) ([]byte, error) {
	if text, raw := context.(json.RawMessage); raw {
		return text, nil
	}
	var out bytes.Buffer
	if err := write(&out, reflect.ValueOf(context), ""); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Ptr returns a pointer to a value, for optional members: Refusal: payspec.Ptr("").
func Ptr[T any](value T) *T { return &value }

// MarshalJSON writes the header of a client. Bytes that are not UTF-8 become U+FFFD, which no token contains: the
// answer is 401.
func (a Authorization) MarshalJSON() ([]byte, error) {
	if a.CheckedByCaller {
		return []byte(`"checked_by_caller"`), nil
	}
	type plain Authorization
	a.Header = sent(a.Header)
	return Marshal(plain(a))
}

// MarshalJSON writes the key of a client. Bytes that are not UTF-8 become U+FFFD, which no key contains: the answer is
// 400.
func (i Idempotency) MarshalJSON() ([]byte, error) {
	type plain Idempotency
	i.Key = sent(i.Key)
	return Marshal(plain(i))
}

// MarshalJSON writes the uid in a path. Bytes that are not UTF-8 become U+FFFD, which no UUID contains: the answer is 404.
func (c ReadContext) MarshalJSON() ([]byte, error) {
	type plain ReadContext
	c.UID = sent(c.UID)
	return Marshal(plain(c))
}

func sent(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// Deeper than any context. A value that contains itself ends here instead of exhausting the stack.
const longestPath = 10_000

func write(out *bytes.Buffer, value reflect.Value, path string) error {
	if len(path) > longestPath {
		return &Error{Code: "context", Message: "expected a value that does not contain itself"}
	}
	if !value.IsValid() || nullable(value.Kind()) && value.IsNil() {
		out.WriteString("null")
		return nil
	}
	switch known := value.Interface().(type) {
	case time.Time:
		if known.IsZero() {
			return &Error{Code: "context", Path: path, Message: "expected a time, found the zero time.Time"}
		}
		text, err := known.MarshalText()
		if err != nil {
			return err
		}
		return str(out, string(text), path)
	case json.Marshaler:
		text, err := known.MarshalJSON()
		if inner, of := err.(*Error); of {
			return &Error{Code: inner.Code, Path: path + inner.Path, Message: inner.Message}
		}
		if err == nil && !json.Valid(text) {
			return &Error{Code: "context", Path: path, Message: "expected JSON"}
		}
		out.Write(text)
		return err
	case json.Number, []byte:
		return leaf(out, known)
	case encoding.TextMarshaler:
		text, err := known.MarshalText()
		if err != nil {
			return err
		}
		return str(out, string(text), path)
	}
	switch value.Kind() {
	case reflect.String:
		return str(out, value.String(), path)
	case reflect.Pointer, reflect.Interface:
		return write(out, value.Elem(), path)
	case reflect.Struct:
		return object(out, fields(value, nil), path)
	case reflect.Map:
		if value.Type().Key().Kind() != reflect.String {
			return fmt.Errorf("payspec: the keys of a %s are not strings", value.Type())
		}
		members := make([]member, 0, value.Len())
		for each := value.MapRange(); each.Next(); {
			members = append(members, member{each.Key().String(), each.Value()})
		}
		sort.Slice(members, func(a, b int) bool { return members[a].name < members[b].name })
		return object(out, members, path)
	case reflect.Slice, reflect.Array:
		out.WriteByte('[')
		for n := 0; n < value.Len(); n++ {
			if n > 0 {
				out.WriteByte(',')
			}
			if err := write(out, value.Index(n), fmt.Sprint(path, "/", n)); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	}
	return leaf(out, value.Interface())
}

func nullable(kind reflect.Kind) bool {
	return kind == reflect.Pointer || kind == reflect.Interface || kind == reflect.Map || kind == reflect.Slice
}

type member struct {
	name  string
	value reflect.Value
}

// fields appends the members of a struct, including those of embedded structs.
func fields(value reflect.Value, members []member) []member {
	for n := 0; n < value.NumField(); n++ {
		field, part := value.Type().Field(n), value.Field(n)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Tag.Get("json") == "-":
		case field.Anonymous && name == "" && part.Kind() == reflect.Struct:
			members = fields(part, members)
		case !field.IsExported():
		case options == "omitempty" && empty(part):
		case name == "":
			members = append(members, member{field.Name, part})
		default:
			members = append(members, member{name, part})
		}
	}
	return members
}

// empty reports if encoding/json omits the value. A struct is never omitted.
func empty(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Struct:
		return false
	case reflect.Map, reflect.Slice, reflect.Array:
		return value.Len() == 0
	}
	return value.IsZero()
}

var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func object(out *bytes.Buffer, members []member, path string) error {
	out.WriteByte('{')
	for n, member := range members {
		if n > 0 {
			out.WriteByte(',')
		}
		if err := str(out, member.name, path); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := write(out, member.value, path+"/"+pointer.Replace(member.name)); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func str(out *bytes.Buffer, text, path string) error {
	if !utf8.ValidString(text) {
		return &Error{Code: "utf8", Path: path, Message: "expected UTF-8"}
	}
	return leaf(out, text)
}

// leaf writes a value without members. It does not escape <, > and &.
func leaf(out *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the newline
	return nil
}
