//! The hosts as a table: what each needs, how it is built and tested, what its program is called.

use super::program::Shell;

/// One of the examples. In a command `{out}` is a folder to build in, `{prefix}` where the library is installed, `{jna}`
/// the archive of JNA.
pub(crate) struct Host {
    /// Its name, in one word.
    pub(crate) name: &'static str,
    /// The folder in examples/.
    pub(crate) folder: &'static str,
    /// Commands that succeed where a tool is there, and Debian's package that brings it.
    needs: &'static [(&'static [&'static str], &'static str)],
    /// What builds it. A warning is an error.
    pub(crate) build: &'static [&'static [&'static str]],
    /// Its own tests; they print `tests: N passed, M failed`.
    pub(crate) tests: &'static [&'static [&'static str]],
    /// The program that answers a request.
    pub(crate) program: &'static [&'static str],
}

/// How C and C++ are built here. They have no tests of their own: each answer tests their memory too, since a fault or a
/// leak ends the program with another code (`program.rs`).
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

pub(crate) const HOSTS: [Host; 7] = [
    Host {
        name: "c",
        folder: "c",
        needs: &[MAKE, CC, PKG_CONFIG],
        build: &[&["make", "-B", "BUILD={out}", concat!("CFLAGS=", sanitized!())]],
        tests: &[],
        program: &["{out}/create_payment"],
    },
    Host {
        name: "c-static",
        folder: "c",
        needs: &[MAKE, CC],
        build: &[&["make", "-B", "BUILD={out}", "PAYSPEC={prefix}", "STATIC=1", concat!("CFLAGS=", sanitized!())]],
        tests: &[],
        program: &["{out}/create_payment"],
    },
    Host {
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
    Host {
        name: "python",
        folder: "python",
        needs: &[(&["python3", "-c", PYTHON], "python3")],
        build: &[],
        tests: &[&["python3", "tests"], &["sh", "-c", "! python3 -m mypy --version || python3 -m mypy"]],
        program: &["python3", "create_payment.py"],
    },
    Host {
        name: "go",
        folder: "go",
        needs: &[(&["go", "version"], "golang-go"), CC, PKG_CONFIG],
        build: &[
            &["sh", "-c", "test -z \"$(gofmt -l . | tee /dev/stderr)\""],
            &["go", "vet", "./..."],
            &["go", "build", "-o", "{out}/create-payment", "./cmd/create-payment"],
        ],
        tests: &[&["go", "test", "-count=1", "-v", "./..."]],
        program: &["{out}/create-payment"],
    },
    Host {
        name: "php",
        folder: "php",
        needs: &[(&["php", "-r", FFI], "php-cli")],
        build: &[],
        tests: &[&["php", "-d", "ffi.enable=1", "tests/run.php"]],
        program: &["php", "-d", "ffi.enable=1", "create_payment.php"],
    },
    Host {
        name: "java",
        folder: "java",
        needs: &[(&["javac", "--version"], "default-jdk-headless"), (&["test", "-e", "{jna}"], "libjna-java")],
        build: &[&[
            "sh",
            "-c",
            "javac -encoding UTF-8 -Xlint:all -Werror --release 17 -cp {jna} -d {out} $(find src -name '*.java')",
        ]],
        tests: &[
            &["java", "-cp", "{jna}:{out}", "payspec.EngineTest"],
            &["java", "-cp", "{jna}:{out}", "payspec.VectorsTest"],
        ],
        program: &["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", "{jna}:{out}", "payspec.CreatePayment"],
    },
];

impl Host {
    /// The packages that would bring what is not there.
    pub(crate) fn missing(&self, shell: &Shell) -> Vec<&'static str> {
        let place = shell.place(self);
        self.needs.iter().filter(|(probe, _)| place.run(probe).is_err()).map(|(_, package)| *package).collect()
    }
}
