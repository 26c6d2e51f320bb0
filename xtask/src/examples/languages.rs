//! The examples in one table: required tools, build and test commands, and the program to run.

/// An example, and the package that it uses. In its commands, `{package}` is the folder of the package, `{out}` a folder to
/// build in, `{prefix}` the prefix of the installed library, and `{jna}` the archive of JNA.
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
    /// The program that answers a request.
    pub(crate) program: &'static [&'static str],
}

/// Flags for C and C++. Their examples have no unit tests: each answer also checks memory, since an error or a leak
/// changes the exit code (`program.rs`).
macro_rules! sanitized {
    () => {
        "-O1 -g -Werror -fsanitize=address,undefined -fno-sanitize-recover=all"
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
        build: &[&["make", "-B", "BUILD={out}", concat!("CFLAGS=", sanitized!())]],
        tests: &[],
        program: &["{out}/create_payment"],
    },
    Example {
        name: "c-static",
        folder: "c",
        needs: &[MAKE, CC],
        build: &[&["make", "-B", "BUILD={out}", "PAYSPEC={prefix}", "STATIC=1", concat!("CFLAGS=", sanitized!())]],
        tests: &[],
        program: &["{out}/create_payment"],
    },
    Example {
        name: "cpp",
        folder: "cpp",
        needs: &[(&["cmake", "--version"], "cmake"), MAKE, (&["c++", "--version"], "g++")],
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
        tests: &[],
        program: &["{out}/create_payment"],
    },
    Example {
        name: "python",
        folder: "python",
        needs: &[(&["python3", "-c", PYTHON], "python3")],
        build: &[],
        tests: &[
            &["python3", "{package}/tests"],
            &["python3", "test_create_payment.py"],
            &["sh", "-c", "! python3 -m mypy --version || (cd {package} && python3 -m mypy)"],
        ],
        program: &["python3", "create_payment.py"],
    },
    Example {
        name: "go",
        folder: "go",
        needs: &[(&["go", "version"], "golang-go"), CC, PKG_CONFIG],
        build: &[
            &["sh", "-c", "test -z \"$(gofmt -l . {package} | tee /dev/stderr)\""],
            &["sh", "-c", "go vet ./... && cd {package} && go vet ./..."],
            &["go", "build", "-o", "{out}/create-payment", "."],
        ],
        tests: &[
            &["sh", "-c", "cd {package} && go test -count=1 -v ./..."],
            &["go", "test", "-count=1", "-v", "./..."],
        ],
        program: &["{out}/create-payment"],
    },
    Example {
        name: "php",
        folder: "php",
        needs: &[(&["php", "-r", FFI], "php-cli")],
        build: &[],
        tests: &[&["php", "-d", "ffi.enable=1", "{package}/tests/run.php"]],
        program: &["php", "-d", "ffi.enable=1", "create_payment.php"],
    },
    Example {
        name: "java",
        folder: "java",
        needs: &[(&["javac", "--version"], "default-jdk-headless"), (&["test", "-e", "{jna}"], "libjna-java")],
        build: &[&[
            "sh",
            "-c",
            "javac -encoding UTF-8 -Xlint:all -Werror --release 17 -cp {jna} -d {out} $(find . {package}/src -name '*.java')",
        ]],
        tests: &[
            &["java", "-cp", "{jna}:{out}", "payspec.EngineTest"],
            &["java", "-cp", "{jna}:{out}", "payspec.VectorsTest"],
        ],
        program: &["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", "{jna}:{out}", "CreatePayment"],
    },
];
