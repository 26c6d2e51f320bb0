module payspec.example/examples

go 1.19

require payspec.example/payspec v0.1.0

replace payspec.example/payspec => ../../bindings/go
