//! The examples in one table: required tools, build and test commands, and the program to run.

/// An example, and the package that it uses. In its commands, `{package}` is the folder of the
/// package, `{out}` a folder to build in, `{prefix}` the prefix of the installed library, `{jna}`
/// the archive of JNA, and `{version}` the version.
pub(crate) struct Example {
    /// The name, in one word.
    pub(crate) name: &'static str,
    /// The folder below `examples/`, and that of the package below `bindings/`.
    pub(crate) folder: &'static str,
    /// Commands that succeed if a tool is installed, each with the Debian package that contains it.
    pub(crate) needs: &'static [(&'static [&'static str], &'static str)],
    /// Commands that build it. Warnings are errors.
    pub(crate) build: &'static [&'static [&'static str]],
    /// Commands that run its own tests, which print `tests: N passed, M failed`.
    pub(crate) tests: &'static [&'static [&'static str]],
    /// The program in the readme of the package.
    pub(crate) readme: Option<Readme>,
}

/// A program in a readme: a new payment, and the same request again.
pub(crate) struct Readme {
    /// The language of its fenced block.
    pub(crate) language: &'static str,
    /// The name of its file in `{out}/readme`, where the commands run.
    pub(crate) file: &'static str,
    /// Commands that prepare and run it.
    pub(crate) run: &'static [&'static [&'static str]],
    /// The output of the last command.
    pub(crate) prints: &'static str,
}

/// Flags for C and C++. Their examples have no unit tests: each response also checks memory, since an
/// error or a leak changes the exit code (`program.rs`).
macro_rules! sanitized {
    () => {
        "-O1 -g -Werror -fsanitize=address,undefined -fno-sanitize-recover=all"
    };
}

/// Sends a valid body, a broken one, and none to the program, and checks the exit codes.
macro_rules! responses {
    () => {
        &[
            "sh",
            "-ec",
            "export PAYSPEC_TOKEN=secret PAYSPEC_AUTHORIZATION='Bearer secret'; \
             {out}/gateway < ../bodies/p2p-card.json | grep -q 201; \
             code=0; {out}/gateway < ../bodies/broken.json > {out}/broken || code=$?; \
             test $code = 1; grep -q 422 {out}/broken; \
             code=0; PAYSPEC_AUTHORIZATION='Bearer other' {out}/gateway < /dev/null > {out}/other || code=$?; \
             test $code = 1; grep -q 401 {out}/other; echo 'tests: 3 passed, 0 failed'",
        ]
    };
}

type Need = (&'static [&'static str], &'static str);

const MAKE: Need = (&["make", "--version"], "make");
const CC: Need = (&["cc", "--version"], "gcc");
const PKG_CONFIG: Need = (&["pkg-config", "--version"], "pkg-config");
const PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 11))";
const FFI: &str = "exit(extension_loaded('ffi') ? 0 : 1);";

pub(crate) const EXAMPLES: [Example; 7] = [
    Example {
        name: "c",
        folder: "c",
        needs: &[MAKE, CC, PKG_CONFIG],
        build: &[&[
            "make",
            "-B",
            "BUILD={out}",
            concat!("CFLAGS=", sanitized!()),
        ]],
        tests: &[responses!()],
        readme: None,
    },
    Example {
        name: "c-static",
        folder: "c",
        needs: &[MAKE, CC],
        build: &[&[
            "make",
            "-B",
            "BUILD={out}",
            "PAYSPEC={prefix}",
            "STATIC=1",
            concat!("CFLAGS=", sanitized!()),
        ]],
        tests: &[responses!()],
        readme: None,
    },
    Example {
        name: "cpp",
        folder: "cpp",
        needs: &[
            (&["cmake", "--version"], "cmake"),
            MAKE,
            (&["c++", "--version"], "g++"),
        ],
        build: &[
            &[
                "cmake",
                "-S",
                ".",
                "-B",
                "{out}",
                "-DCMAKE_PREFIX_PATH={prefix}",
                concat!("-DCMAKE_CXX_FLAGS=", sanitized!()),
            ],
            &["cmake", "--build", "{out}"],
        ],
        tests: &[responses!()],
        readme: Some(Readme {
            language: "cpp",
            file: "gateway.cpp",
            run: &[
                &[
                    "sh",
                    "-c",
                    "c++ -std=c++17 -Wall -Wextra -Werror gateway.cpp $(pkg-config --cflags --libs payspec) -o gateway",
                ],
                &["./gateway"],
            ],
            prints: "201 new\n201 replayed\n",
        }),
    },
    Example {
        name: "python",
        folder: "python",
        needs: &[(&["python3", "-c", PYTHON], "python3")],
        build: &[],
        tests: &[
            &["python3", "{package}/tests"],
            &["python3", "test_gateway.py"],
            &[
                "sh",
                "-c",
                "! python3 -m mypy --version || (cd {package} && python3 -m mypy)",
            ],
        ],
        readme: Some(Readme {
            language: "python",
            file: "gateway.py",
            run: &[&["python3", "gateway.py"]],
            prints: "201 False\n201 True\n",
        }),
    },
    Example {
        name: "go",
        folder: "go",
        needs: &[(&["go", "version"], "golang-go"), CC, PKG_CONFIG],
        build: &[
            &[
                "sh",
                "-c",
                "test -z \"$(gofmt -l . {package} | tee /dev/stderr)\"",
            ],
            &["sh", "-c", "go vet ./... && cd {package} && go vet ./..."],
        ],
        tests: &[
            &["sh", "-c", "cd {package} && go test -count=1 -v ./..."],
            &["go", "test", "-count=1", "-v", "./..."],
        ],
        readme: Some(Readme {
            language: "go",
            file: "main.go",
            run: &[
                &[
                    "sh",
                    "-c",
                    "test -z \"$(gofmt -l .)\" && (test -e go.mod || go mod init gateway)",
                ],
                &[
                    "go",
                    "mod",
                    "edit",
                    "-require=payspec.example/payspec@v{version}",
                    "-replace=payspec.example/payspec={package}",
                ],
                &["go", "run", "."],
            ],
            prints: "201 false\n201 true\n",
        }),
    },
    Example {
        name: "php",
        folder: "php",
        needs: &[(&["php", "-r", FFI], "php-cli")],
        build: &[],
        tests: &[
            &["php", "-d", "ffi.enable=1", "{package}/tests/run.php"],
            &["php", "test_gateway.php"],
        ],
        readme: Some(Readme {
            language: "php",
            file: "gateway.php",
            run: &[
                &[
                    "sh",
                    "-c",
                    "mkdir -p vendor && echo \"<?php require '{package}/src/autoload.php';\" > vendor/autoload.php",
                ],
                &["php", "-d", "ffi.enable=1", "gateway.php"],
            ],
            prints: "201 new\n201 replayed\n",
        }),
    },
    Example {
        name: "java",
        folder: "java",
        needs: &[
            (&["javac", "--version"], "default-jdk-headless"),
            (&["test", "-e", "{jna}"], "libjna-java"),
        ],
        build: &[
            &[
                "sh",
                "-c",
                "javac -encoding UTF-8 -Xlint:all -Werror --release 17 -cp {jna} -d {out} $(find . {package}/src -name '*.java' ! -name module-info.java)",
            ],
            &[
                "sh",
                "-c",
                "javadoc -quiet -Xdoclint:all -Werror --release 17 --module-path {jna} -d {out}/javadoc $(find {package}/src/main -name '*.java')",
            ],
        ],
        tests: &[
            &["java", "-cp", "{jna}:{out}", "payspec.EngineTest"],
            &["java", "-cp", "{jna}:{out}", "payspec.VectorsTest"],
            &["java", "-cp", "{jna}:{out}", "GatewayTest"],
        ],
        readme: Some(Readme {
            language: "java",
            file: "Gateway.java",
            run: &[&["java", "-cp", "{jna}:{out}", "Gateway.java"]],
            prints: "201 false\n201 true\n",
        }),
    },
];
