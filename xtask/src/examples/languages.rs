//! The examples: what each needs, and how it is built and tested. In the shell commands, `{out}` is
//! the folder for built files, `{prefix}` that of the installed library, `{package}` that of the
//! package in `bindings`, and `{jna}` the file of JNA.

/// An example.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    /// The folder below `examples` and `bindings`.
    pub(crate) folder: &'static str,
    /// Shell commands that succeed if its tools are installed, and the Debian package of each.
    pub(crate) needs: &'static [(&'static str, &'static str)],
    /// Shell commands.
    pub(crate) build: &'static [&'static str],
    /// Shell commands that print how many tests passed.
    pub(crate) tests: &'static [&'static str],
}

macro_rules! sanitized {
    () => {
        "'-O1 -g -Werror -fsanitize=address,undefined -fno-sanitize-recover=all'"
    };
}

/// Runs a gateway in C or C++ with bodies, and compares the statuses of its responses.
const RESPONSES: &str = "\
    export PAYSPEC_TOKEN=secret PAYSPEC_AUTHORIZATION='Bearer secret'; \
    {out}/gateway < ../bodies/p2p-card.json | grep -q 201; \
    code=0; {out}/gateway < ../bodies/broken.json > {out}/broken || code=$?; \
    test $code = 1; grep -q 422 {out}/broken; \
    code=0; PAYSPEC_AUTHORIZATION='Bearer other' {out}/gateway < /dev/null > {out}/other || code=$?; \
    test $code = 1; grep -q 401 {out}/other; echo 'tests: 3 passed, 0 failed'";

type Need = (&'static str, &'static str);

const MAKE: Need = ("make --version", "make");
const CC: Need = ("cc --version", "gcc");
const PKG_CONFIG: Need = ("pkg-config --version", "pkg-config");

pub(crate) const EXAMPLES: [Example; 7] = [
    Example {
        name: "c",
        folder: "c",
        needs: &[MAKE, CC, PKG_CONFIG],
        build: &[concat!("make -B BUILD={out} CFLAGS=", sanitized!())],
        tests: &[RESPONSES],
    },
    Example {
        name: "c-static",
        folder: "c",
        needs: &[MAKE, CC],
        build: &[concat!(
            "make -B BUILD={out} PAYSPEC={prefix} STATIC=1 CFLAGS=",
            sanitized!()
        )],
        tests: &[RESPONSES],
    },
    Example {
        name: "cpp",
        folder: "cpp",
        needs: &[("cmake --version", "cmake"), MAKE, ("c++ --version", "g++")],
        build: &[
            concat!(
                "cmake -S . -B {out} -DCMAKE_PREFIX_PATH={prefix} -DCMAKE_CXX_FLAGS=",
                sanitized!()
            ),
            "cmake --build {out}",
        ],
        tests: &[RESPONSES],
    },
    Example {
        name: "python",
        folder: "python",
        needs: &[(
            "python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'",
            "python3",
        )],
        build: &[],
        tests: &[
            "python3 {package}/tests",
            "python3 test_gateway.py",
            "! python3 -m mypy --version || (cd {package} && python3 -m mypy)",
        ],
    },
    Example {
        name: "go",
        folder: "go",
        needs: &[("go version", "golang-go"), CC, PKG_CONFIG],
        build: &[
            "test -z \"$(gofmt -l . {package} | tee /dev/stderr)\"",
            "go vet ./... && cd {package} && go vet ./...",
        ],
        tests: &[
            "cd {package} && go test -count=1 -v ./...",
            "go test -count=1 -v ./...",
        ],
    },
    Example {
        name: "php",
        folder: "php",
        needs: &[(
            "php -r \"exit(extension_loaded('ffi') ? 0 : 1);\"",
            "php-cli",
        )],
        build: &[],
        tests: &[
            "php -d ffi.enable=1 {package}/tests/run.php",
            "php test_gateway.php",
        ],
    },
    Example {
        name: "java",
        folder: "java",
        needs: &[
            ("javac --version", "default-jdk-headless"),
            ("test -e {jna}", "libjna-java"),
        ],
        build: &[
            "javac -encoding UTF-8 -Xlint:all -Werror --release 17 -cp {jna} -d {out} \
             $(find . {package}/src -name '*.java' ! -name module-info.java)",
            "javadoc -quiet -Xdoclint:all -Werror --release 17 --module-path {jna} -d {out}/javadoc \
             $(find {package}/src/main -name '*.java')",
        ],
        tests: &[
            "java -cp {jna}:{out} payspec.EngineTest",
            "java -cp {jna}:{out} payspec.VectorsTest",
            "java -cp {jna}:{out} GatewayTest",
        ],
    },
];
