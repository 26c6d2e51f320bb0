module payspec.example/payspec

go 1.19
