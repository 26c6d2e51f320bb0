package payspec_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

// Every exported name has a comment that begins with it, which pkg.go.dev shows.
func TestDocumentsExportedNames(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(file fs.FileInfo) bool {
		return !strings.HasSuffix(file.Name(), "_test.go")
	}, parser.ParseComments)
	if err != nil || packages["payspec"] == nil {
		t.Fatal(err)
	}
	documentation := doc.New(packages["payspec"], "payspec", 0)
	functions := documentation.Funcs
	values := append(documentation.Consts, documentation.Vars...)
	check := func(name, comment string) {
		if ast.IsExported(name) && !strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(comment, "An "), "A "), name+" ") {
			t.Errorf("%s: %q", name, comment)
		}
	}
	for _, named := range documentation.Types {
		check(named.Name, named.Doc)
		functions = append(append(functions, named.Funcs...), named.Methods...)
		values = append(append(values, named.Consts...), named.Vars...)
	}
	for _, function := range functions {
		check(function.Name, function.Doc)
	}
	for _, value := range values {
		if value.Doc == "" {
			t.Errorf("%v has no comment", value.Names)
		}
	}
	if documentation.Doc == "" || len(functions) < 10 {
		t.Errorf("the package has %d functions, and this comment: %q", len(functions), documentation.Doc)
	}
}
