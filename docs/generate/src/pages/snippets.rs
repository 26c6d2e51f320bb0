//! The calls of an operation in each language, as whole programs. The step `book` runs them, and
//! compares their output with the answer.

use payspec::operations::Operation;

/// One call of an operation.
pub(super) struct Call<'c> {
    pub(super) operation: &'static Operation,
    /// The policy, if it is not the default one.
    pub(super) policy: Option<&'c str>,
    /// The inputs in order, without omitted ones at the end.
    pub(super) inputs: Vec<Option<&'c str>>,
}

/// Returns the label, the language of highlighting, and the text of the call in each language.
pub(super) fn all(call: &Call<'_>) -> Vec<(&'static str, &'static str, String)> {
    vec![
        ("Rust", "rust,ignore", rust(call)),
        ("C", "c", c(call)),
        ("JavaScript", "js", javascript(call)),
        ("Python", "python", python(call)),
        ("PHP", "php", php(call)),
        ("Go", "go", go(call)),
        ("Java", "java", java(call)),
        ("Shell", "sh", shell(call)),
    ]
}

impl Call<'_> {
    /// Returns the name of each input with its text.
    fn named(&self) -> Vec<(&'static str, Option<&str>)> {
        self.operation
            .inputs
            .iter()
            .map(|input| input.name)
            .zip(self.inputs.iter().copied())
            .collect()
    }

    /// Returns the name of the class in Java.
    pub(super) fn class(&self) -> String {
        capitalized(&camel(self.operation.name))
    }

    /// Returns the arguments of a call, with a prefix before each name.
    fn arguments(&self, separator: &str, written: impl Fn(&'static str, bool) -> String) -> String {
        let arguments = self
            .named()
            .into_iter()
            .map(|(name, text)| written(name, text.is_some()));
        arguments
            .map(|argument| format!("{separator}{argument}"))
            .collect()
    }
}

/// Returns the name of an operation in languages with camel case.
pub(super) fn camel(operation: &str) -> String {
    let mut words = operation.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &capitalized(word))
}

fn capitalized(word: &str) -> String {
    let (head, tail) = word.split_at(1.min(word.len()));
    head.to_uppercase() + tail
}

/// Returns a string literal of C and similar languages.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out + "\""
}

/// Returns a literal between single quotes.
fn single(text: &str) -> String {
    format!(
        "'{}'",
        text.replace('\\', "\\\\")
            .replace('\'', "\\'")
            .replace('\n', "\\n")
            .replace('\r', "\\r")
    )
}

fn rust(call: &Call<'_>) -> String {
    let mut out = "use payspec::Engine;\nuse payspec::operations::operation;\n\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n"
        .to_owned();
    for (name, text) in call.named() {
        match text {
            // A raw literal contains no carriage return.
            Some(text) if text.contains('\r') => {
                out.push_str(&format!("    let {name} = {text:?}.as_bytes();\n"))
            }
            Some(text) => out.push_str(&format!("    let {name} = r#\"{text}\"#.as_bytes();\n")),
            None => {}
        }
    }
    let inputs: Vec<String> = call
        .named()
        .iter()
        .map(|(name, text)| {
            if text.is_some() {
                format!("Some({name})")
            } else {
                "None".to_owned()
            }
        })
        .collect();
    let engine = match call.policy {
        Some(policy) => format!("Engine::from_json({})?", quoted(policy)),
        None => "Engine::default()".to_owned(),
    };
    out.push_str(&format!(
        "    let engine = {engine};\n    let mut answer = Vec::new();\n    let {name} = operation(\"{name}\").expect(\"an operation\");\n    \
         {name}.call(&engine, &[{inputs}], Some(&mut answer))?;\n    println!(\"{{}}\", str::from_utf8(&answer)?);\n    \
         Ok(())\n}}\n",
        name = call.operation.name,
        inputs = inputs.join(", "),
    ));
    out
}

fn c(call: &Call<'_>) -> String {
    let mut out = "#include <payspec.h>\n#include <stdio.h>\n\nint main(void) {\n".to_owned();
    for (name, text) in call.named() {
        if let Some(text) = text {
            out.push_str(&format!(
                "    static const char {name}[] = {};\n",
                quoted(text)
            ));
        }
    }
    let (policy, length) = match call.policy {
        Some(policy) => {
            out.push_str(&format!(
                "    static const char policy[] = {};\n",
                quoted(policy)
            ));
            ("policy", "sizeof policy - 1")
        }
        None => ("NULL", "0"),
    };
    let arguments = call.arguments(", ", |name, is_given| match is_given {
        true => format!("{name}, sizeof {name} - 1"),
        false => "NULL, 0".to_owned(),
    });
    let missing = ", NULL, 0".repeat(call.operation.inputs.len() - call.inputs.len());
    out.push_str(&format!(
        "    payspec_engine *engine = NULL;\n    payspec_buf answer = {{0}};\n    \
         if (payspec_engine_new({policy}, {length}, &engine, NULL) != PAYSPEC_ACCEPTED) return 2;\n    \
         int verdict = payspec_{name}(engine{arguments}{missing}, &answer);\n    printf(\"%s\\n\", answer.data);\n    \
         payspec_buf_free(&answer);\n    payspec_engine_free(engine);\n    return verdict;\n}}\n",
        name = call.operation.name,
    ));
    out
}

fn javascript(call: &Call<'_>) -> String {
    let mut out = "import { Engine } from \"payspec\";\n\n".to_owned();
    for (name, text) in call.named() {
        if let Some(text) = text {
            out.push_str(&format!("const {name} = {};\n", single(text)));
        }
    }
    let arguments = call.arguments(", ", |name, is_given| {
        if is_given { name } else { "undefined" }.to_owned()
    });
    out.push_str(&format!(
        "const engine = new Engine({policy});\nconsole.log(engine.{name}Json({arguments}));\n",
        policy = call.policy.unwrap_or_default(),
        name = camel(call.operation.name),
        arguments = arguments.trim_start_matches(", "),
    ));
    out
}

fn python(call: &Call<'_>) -> String {
    let mut out = "from payspec import Engine\n\n".to_owned();
    for (name, text) in call.named() {
        if let Some(text) = text {
            out.push_str(&format!("{name} = {}\n", single(text)));
        }
    }
    let arguments = call.arguments(", ", |name, is_given| {
        if is_given { name } else { "None" }.to_owned()
    });
    out.push_str(&format!(
        "with Engine({}) as engine:\n    answer = engine.answer(\"{}\"{arguments})\nprint(answer.json.decode())\n",
        call.policy.map(single).unwrap_or_default(),
        call.operation.name,
    ));
    out
}

fn php(call: &Call<'_>) -> String {
    let mut out = "<?php\n\nuse Payspec\\Engine;\n\nrequire 'vendor/autoload.php';\n\n".to_owned();
    let written = |text: &str| match text.contains(['\n', '\r']) {
        true => quoted(text).replace('$', "\\$"),
        false => single(text),
    };
    for (name, text) in call.named() {
        if let Some(text) = text {
            out.push_str(&format!("${name} = {};\n", written(text)));
        }
    }
    let arguments = call.arguments(", ", |name, is_given| {
        if is_given {
            format!("${name}")
        } else {
            "null".to_owned()
        }
    });
    out.push_str(&format!(
        "$engine = new Engine({});\n$answer = $engine->call('{}'{arguments});\necho $answer->json, \"\\n\";\n",
        call.policy.map(written).unwrap_or_default(),
        call.operation.name,
    ));
    out
}

fn go(call: &Call<'_>) -> String {
    let literal = |text: &str| {
        if text.contains(['`', '\r']) {
            quoted(text)
        } else {
            format!("`{text}`")
        }
    };
    let mut out =
        "package main\n\nimport (\n\t\"fmt\"\n\t\"log\"\n\n\t\"payspec.example/payspec\"\n)\n\nfunc main() {\n"
            .to_owned();
    let policy = call.policy.map_or("nil".to_owned(), |policy| {
        format!("[]byte({})", literal(policy))
    });
    out.push_str(&format!(
        "\tengine, err := payspec.New({policy})\n\tif err != nil {{\n\t\tlog.Fatal(err)\n\t}}\n\tdefer engine.Close()\n"
    ));
    for (name, text) in call.named() {
        if let Some(text) = text {
            out.push_str(&format!("\t{name} := []byte({})\n", literal(text)));
        }
    }
    let arguments = call.arguments(", ", |name, is_given| {
        if is_given { name } else { "nil" }.to_owned()
    });
    out.push_str(&format!(
        "\tanswer, _, err := engine.Call(\"{}\"{arguments})\n\tif err != nil {{\n\t\tlog.Fatal(err)\n\t}}\n\
         \tfmt.Println(string(answer))\n}}\n",
        call.operation.name,
    ));
    out
}

fn java(call: &Call<'_>) -> String {
    let mut out = format!(
        "import static java.nio.charset.StandardCharsets.UTF_8;\n\nimport payspec.Answer;\nimport payspec.Engine;\n\npublic class {} {{\n    \
         public static void main(String[] arguments) {{\n        try (Engine engine = new Engine({})) {{\n",
        call.class(),
        call.policy.map(quoted).unwrap_or_default()
    );
    for (name, text) in call.named() {
        if let Some(text) = text {
            out.push_str(&format!(
                "            byte[] {name} = {}.getBytes(UTF_8);\n",
                quoted(text)
            ));
        }
    }
    let arguments = call.arguments(", ", |name, is_given| {
        if is_given { name } else { "null" }.to_owned()
    });
    out.push_str(&format!(
        "            Answer answer = engine.call(\"{}\"{arguments});\n            System.out.println(answer.json());\n        }}\n    }}\n}}\n",
        call.operation.name,
    ));
    out
}

/// Inputs of `payspec call` that are values on the command line. The others are files.
const VALUES: &[&str] = &["now", "header", "kind", "pointer", "digits"];

fn shell(call: &Call<'_>) -> String {
    let mut out = String::new();
    let mut options = String::new();
    let files = call
        .named()
        .into_iter()
        .chain(call.policy.map(|policy| ("policy", Some(policy))));
    for (name, text) in files {
        let Some(text) = text else { continue };
        let word = format!("'{}'", text.replace('\'', "'\\''"));
        if VALUES.contains(&name) {
            options.push_str(&format!(" --{name} {word}"));
        } else {
            let extension = if name == "text" { "txt" } else { "json" };
            out.push_str(&format!("printf %s {word} > {name}.{extension}\n"));
            options.push_str(&format!(" --{name} {name}.{extension}"));
        }
    }
    out + &format!("payspec call {}{options}\n", call.operation.name)
}
