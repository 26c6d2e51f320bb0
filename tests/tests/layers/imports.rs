//! Resolves paths to the files that define their items.

use super::sources::{Crate, Kind, Name, Path, Reference};
use std::collections::{BTreeMap, BTreeSet};

/// The importing and the imported file, with the locations of the imports.
pub(crate) type Imports = BTreeMap<(String, String), Vec<Import>>;

/// A path in a file, and the item of another file or crate that it names.
pub(crate) struct Import {
    pub(crate) line: usize,
    pub(crate) path: String,
    pub(crate) item: String,
}

/// The meaning of a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(usize),
    /// The index of the module that defines the item, and the item's name.
    Item(usize, String),
    External(String),
}

/// The imports that are being resolved, as (module, name, index), since an import can name itself.
type Pending = Vec<(usize, String, usize)>;

impl Crate {
    /// Adds the imports between the files of the crate to `files`, and those of other crates to
    /// `crates`.
    pub(crate) fn imports(&self, files: &mut Imports, crates: &mut Imports) {
        for (index, module) in self.modules.iter().enumerate() {
            for reference in &module.references {
                for target in self.targets(index, reference) {
                    let import = |item| Import {
                        line: reference.line,
                        path: reference.path.join("::"),
                        item,
                    };
                    let (list, to, import) = match target {
                        Target::Item(definer, item) => (
                            &mut *files,
                            self.modules[definer].file.clone(),
                            import(item),
                        ),
                        Target::External(name) => (&mut *crates, name.clone(), import(name)),
                        Target::Module(_) => continue,
                    };
                    if module.file != to {
                        list.entry((module.file.clone(), to))
                            .or_default()
                            .push(import);
                    }
                }
            }
        }
    }

    fn targets(&self, module: usize, reference: &Reference) -> BTreeSet<Target> {
        let targets = self.resolve(module, &reference.path, &mut Pending::new());
        let is_unknown = targets
            .iter()
            .all(|target| matches!(target, Target::External(_)));
        match reference.kind {
            // Without an import, a macro can be visible through the order of the source text.
            Kind::Macro if reference.path.len() == 1 && is_unknown => {
                self.macros(&reference.path[0])
            }
            // A glob of a module counts as an import of the module's file, and each name that is
            // used counts again.
            Kind::Glob => targets
                .into_iter()
                .map(|target| match target {
                    Target::Module(index) => Target::Item(index, "*".to_owned()),
                    other => other,
                })
                .collect(),
            _ => targets.into_iter().collect(),
        }
    }

    fn macros(&self, name: &str) -> BTreeSet<Target> {
        let defines = |index: &usize| {
            let meanings = self.modules[*index].names.get(name);
            meanings.is_some_and(|meanings| {
                meanings
                    .iter()
                    .any(|meaning| matches!(meaning, Name::Macro))
            })
        };
        (0..self.modules.len())
            .filter(defines)
            .map(|index| Target::Item(index, name.to_owned()))
            .collect()
    }

    fn resolve(&self, module: usize, path: &[String], pending: &mut Pending) -> BTreeSet<Target> {
        let Some((first, rest)) = path.split_first() else {
            return BTreeSet::new();
        };
        let mut found = match (first.as_str(), rest) {
            ("", [name, ..]) => return BTreeSet::from([Target::External(name.clone())]),
            ("crate", _) => BTreeSet::from([Target::Module(0)]),
            ("self", _) => BTreeSet::from([Target::Module(module)]),
            ("super", _) => self.parent(module),
            ("Self", _) => return BTreeSet::new(),
            _ => self.lookup(module, first, pending),
        };
        if found.is_empty() {
            return BTreeSet::from([Target::External(first.clone())]);
        }
        for name in rest {
            let modules: Vec<usize> = found
                .iter()
                .filter_map(|target| {
                    if let Target::Module(index) = target {
                        Some(*index)
                    } else {
                        None
                    }
                })
                .collect();
            if modules.is_empty() {
                // The rest names variants or associated items.
                break;
            }
            found = modules
                .into_iter()
                .flat_map(|module| match name.as_str() {
                    "super" => self.parent(module),
                    "self" => BTreeSet::from([Target::Module(module)]),
                    _ => {
                        let found = self.lookup(module, name, pending);
                        // The module defines the unknown name with a macro.
                        if found.is_empty() {
                            BTreeSet::from([Target::Item(module, name.clone())])
                        } else {
                            found
                        }
                    }
                })
                .collect();
        }
        found
    }

    fn parent(&self, module: usize) -> BTreeSet<Target> {
        self.modules[module]
            .parent
            .map(Target::Module)
            .into_iter()
            .collect()
    }

    /// Returns the meanings of a name in a module. They are empty for names of the prelude and of
    /// other crates.
    fn lookup(&self, module: usize, name: &str, pending: &mut Pending) -> BTreeSet<Target> {
        let Some(scope) = self.modules.get(module) else {
            return BTreeSet::new();
        };
        let mut found = BTreeSet::new();
        let names = scope
            .names
            .get(name)
            .into_iter()
            .chain(scope.names_in_blocks.get(name));
        for (index, meaning) in names.flatten().enumerate() {
            match meaning {
                Name::Module(child) => _ = found.insert(Target::Module(*child)),
                Name::Item | Name::Macro => _ = found.insert(Target::Item(module, name.to_owned())),
                Name::Import(path) => {
                    found.extend(self.follow(module, (name, index), path, pending));
                }
            }
        }
        if found.is_empty() {
            for (index, path) in scope.globs.iter().enumerate() {
                let targets = self.follow(module, ("*", index), path, pending);
                // Two modules can import all names of each other.
                let key = (module, format!("* {name}"), index);
                if pending.contains(&key) {
                    continue;
                }
                pending.push(key);
                for target in targets {
                    if let Target::Module(source) = target {
                        found.extend(self.lookup(source, name, pending));
                    }
                }
                pending.pop();
            }
        }
        found
    }

    fn follow(
        &self,
        module: usize,
        key: (&str, usize),
        path: &Path,
        pending: &mut Pending,
    ) -> BTreeSet<Target> {
        let key = (module, key.0.to_owned(), key.1);
        if pending.contains(&key) {
            return BTreeSet::new();
        }
        pending.push(key);
        let found = self.resolve(module, path, pending);
        pending.pop();
        found
    }
}
