//! Reads the modules of a crate: the names that they define, and the paths in their code.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, Ident, ImplItem, Item, ItemMod, ItemUse, Meta, Stmt, TraitItem, UseTree,
    Visibility,
};

/// The texts of source files by their paths, which are relative to the root of the workspace.
pub(crate) type Sources = BTreeMap<String, String>;

/// The segments of a path. The first one is empty if the path starts with `::`.
pub(crate) type Path = Vec<String>;

/// The modules of a crate. The first one is the root.
pub(crate) struct Crate {
    pub(crate) modules: Vec<Module>,
    /// The files that only tests compile.
    pub(crate) test_files: BTreeSet<String>,
}

/// A module of a file, or a module in braces.
#[derive(Default)]
pub(crate) struct Module {
    pub(crate) file: String,
    pub(crate) parent: Option<usize>,
    /// A name can have several meanings: a module and a function, or a module with a file for each
    /// platform.
    pub(crate) names: BTreeMap<String, Vec<Name>>,
    /// The names that `use` declarations in functions import. They are treated as names of the
    /// module.
    pub(crate) names_in_blocks: BTreeMap<String, Vec<Name>>,
    pub(crate) globs: Vec<Path>,
    pub(crate) references: Vec<Reference>,
}

/// The meaning of a name in a module.
pub(crate) enum Name {
    Module(usize),
    Item,
    Macro,
    Import(Path),
}

/// A path in the code of a module.
pub(crate) struct Reference {
    pub(crate) path: Path,
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Path,
    Glob,
    Macro,
}

/// Reads a crate. Fails if a file is missing or is not Rust.
pub(crate) fn read(sources: &Sources, root: &str) -> Result<Crate, String> {
    let result = Crate {
        modules: Vec::new(),
        test_files: BTreeSet::new(),
    };
    let mut reader = Reader {
        sources,
        result,
        current: 0,
        folder: String::new(),
        blocks: 0,
        error: None,
    };
    reader.file(root, folder_of(root), None);
    reader.error.map_or(Ok(reader.result), Err)
}

struct Reader<'a> {
    sources: &'a Sources,
    result: Crate,
    /// The module that is read.
    current: usize,
    /// The folder of its child modules.
    folder: String,
    /// The number of blocks around the code that is read.
    blocks: usize,
    error: Option<String>,
}

impl Reader<'_> {
    fn file(&mut self, file: &str, folder: String, parent: Option<usize>) -> Option<usize> {
        let parsed = match self.sources.get(file) {
            Some(text) => syn::parse_file(text).map_err(|error| {
                let start = error.span().start();
                format!("{file}:{}: {error}", start.line)
            }),
            None => Err(format!("{file}: file not found")),
        };
        match parsed {
            Ok(parsed) if parsed.attrs.iter().any(is_test) => {
                self.result.test_files.insert(file.to_owned());
                None
            }
            Ok(parsed) => {
                let module = Module {
                    file: file.to_owned(),
                    parent,
                    ..Module::default()
                };
                Some(self.within(module, folder, |reader| reader.visit_file(&parsed)))
            }
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    /// Reads a module with `read` and returns its index.
    fn within(&mut self, module: Module, folder: String, read: impl FnOnce(&mut Self)) -> usize {
        let index = self.result.modules.len();
        self.result.modules.push(module);
        let outer = (
            self.current,
            std::mem::replace(&mut self.folder, folder),
            self.blocks,
        );
        (self.current, self.blocks) = (index, 0);
        read(self);
        (self.current, self.folder, self.blocks) = outer;
        index
    }

    fn module(&mut self) -> &mut Module {
        &mut self.result.modules[self.current]
    }

    fn define(&mut self, name: &Ident, meaning: Name) {
        if self.blocks == 0 {
            self.module()
                .names
                .entry(text(name))
                .or_default()
                .push(meaning);
        }
    }

    fn refer(&mut self, path: Path, span: Span, kind: Kind) {
        let line = span.start().line;
        self.module()
            .references
            .push(Reference { path, line, kind });
    }

    /// Returns the files that a `mod` line can have: one, or one for each platform.
    fn candidates(&self, declaration: &ItemMod) -> Vec<(String, String)> {
        let name = text(&declaration.ident);
        let paths: Vec<String> = declaration
            .attrs
            .iter()
            .filter_map(path_attribute)
            .collect();
        if !paths.is_empty() {
            let folder = folder_of(&self.result.modules[self.current].file);
            let files = paths.into_iter().map(|path| join(&folder, &path));
            // The children of a module with a path are beside it.
            return files.map(|file| (file.clone(), folder_of(&file))).collect();
        }
        let children = join(&self.folder, &name);
        let (short, long) = (format!("{children}.rs"), format!("{children}/mod.rs"));
        vec![(
            if self.sources.contains_key(&long) {
                long
            } else {
                short
            },
            children,
        )]
    }

    fn child(&mut self, declaration: &ItemMod) {
        let parent = Some(self.current);
        if let Some((_, items)) = &declaration.content {
            let module = Module {
                file: self.module().file.clone(),
                parent,
                ..Module::default()
            };
            let folder = join(&self.folder, &text(&declaration.ident));
            let index = self.within(module, folder, |reader| {
                items.iter().for_each(|item| reader.visit_item(item))
            });
            self.define(&declaration.ident, Name::Module(index));
            return;
        }
        for (file, folder) in self.candidates(declaration) {
            if let Some(index) = self.file(&file, folder, parent) {
                self.define(&declaration.ident, Name::Module(index));
            }
        }
    }

    /// Marks the files of a module that only tests compile.
    fn test_child(&mut self, declaration: &ItemMod) {
        if declaration.content.is_some() {
            return;
        }
        for (file, folder) in self.candidates(declaration) {
            let below = format!("{folder}/");
            let children: Vec<String> = self
                .sources
                .keys()
                .filter(|file| file.starts_with(&below))
                .cloned()
                .collect();
            self.result.test_files.extend(children);
            self.result.test_files.insert(file);
        }
    }

    fn import(&mut self, tree: &UseTree, prefix: &[String], is_private: bool) {
        let with = |name: &Ident| [prefix, &[text(name)]].concat();
        match tree {
            UseTree::Path(tree) => self.import(&tree.tree, &with(&tree.ident), is_private),
            UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.import(tree, prefix, is_private)),
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = prefix.last() {
                    self.import_name(prefix.to_vec(), last, name.ident.span(), is_private);
                }
            }
            UseTree::Name(name) => self.import_name(
                with(&name.ident),
                &text(&name.ident),
                name.ident.span(),
                is_private,
            ),
            UseTree::Rename(rename) => {
                let path = if rename.ident == "self" {
                    prefix.to_vec()
                } else {
                    with(&rename.ident)
                };
                self.import_name(path, &text(&rename.rename), rename.ident.span(), is_private);
            }
            UseTree::Glob(glob) => {
                self.module().globs.push(prefix.to_vec());
                if is_private {
                    self.refer(prefix.to_vec(), glob.star_token.spans[0], Kind::Glob);
                }
            }
        }
    }

    fn import_name(&mut self, path: Path, name: &str, span: Span, is_private: bool) {
        if is_private {
            self.refer(path.clone(), span, Kind::Path);
        }
        let is_in_block = self.blocks > 0;
        let module = self.module();
        let names = if is_in_block {
            &mut module.names_in_blocks
        } else {
            &mut module.names
        };
        names
            .entry(name.to_owned())
            .or_default()
            .push(Name::Import(path));
    }

    /// Finds paths in the tokens of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) => {
                    self.tokens(group.stream());
                    at += 1;
                }
                TokenTree::Punct(sign)
                    if sign.as_char() == '#' && is_test_in_tokens(tokens.get(at + 1)) =>
                {
                    at += 2;
                    at += tokens[at..]
                        .iter()
                        .take_while(|token| !ends_item(token))
                        .count()
                        + 1;
                }
                TokenTree::Ident(first) => at = self.path_in_tokens(&tokens, at, first, &[]),
                _ => at += 1,
            }
        }
    }

    /// Reads the path that starts with an identifier. Returns the index after it.
    fn path_in_tokens(
        &mut self,
        tokens: &[TokenTree],
        start: usize,
        first: &Ident,
        prefix: &[String],
    ) -> usize {
        let before = |distance: usize| {
            start
                .checked_sub(distance)
                .and_then(|index| tokens.get(index))
        };
        let is_crate = first == "crate";
        // The end of `.field`, `'lifetime`, `$variable` or `<T>::Item` is not the start of a path.
        let is_tail = is_punct(before(1), '.') && !is_punct(before(2), '.')
            || is_punct(before(1), '\'')
            || is_punct(before(1), '$') && !is_crate
            || is_separator(before(2), before(1));
        let mut path = [prefix, &[text(first)]].concat();
        let mut at = start + 1;
        while is_separator(tokens.get(at), tokens.get(at + 1)) {
            match tokens.get(at + 2) {
                Some(TokenTree::Ident(next)) => path.push(text(next)),
                Some(TokenTree::Group(group))
                    if group.delimiter() == Delimiter::Brace && !is_tail =>
                {
                    self.group_in_tokens(group.stream(), &path);
                    return at + 3;
                }
                Some(TokenTree::Punct(star)) if star.as_char() == '*' && !is_tail => {
                    self.refer(path, first.span(), Kind::Glob);
                    return at + 3;
                }
                _ => break,
            }
            at += 3;
        }
        let is_macro = is_punct(tokens.get(at), '!')
            && matches!(tokens.get(at + 1), Some(TokenTree::Group(_)));
        if !is_tail && (path.len() > 1 || is_macro || is_capitalized(&path[0])) {
            self.refer(
                path,
                first.span(),
                if is_macro { Kind::Macro } else { Kind::Path },
            );
        }
        at
    }

    /// Reads `{a, b::c}` after the prefix of a `use` declaration.
    fn group_in_tokens(&mut self, tokens: TokenStream, prefix: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for part in tokens.split(|token| is_punct(Some(token), ',')) {
            if let Some(TokenTree::Ident(first)) = part.first() {
                if first == "self" {
                    self.refer(prefix.to_vec(), first.span(), Kind::Path);
                } else {
                    self.path_in_tokens(part, 0, first, prefix);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if attributes(item).iter().any(is_test) {
            if let Item::Mod(declaration) = item {
                self.test_child(declaration);
            }
            return;
        }
        match item {
            Item::Const(item) => self.define(&item.ident, Name::Item),
            Item::Enum(item) => self.define(&item.ident, Name::Item),
            Item::Fn(item) => self.define(&item.sig.ident, Name::Item),
            Item::Static(item) => self.define(&item.ident, Name::Item),
            Item::Struct(item) => self.define(&item.ident, Name::Item),
            Item::Trait(item) => self.define(&item.ident, Name::Item),
            Item::Type(item) => self.define(&item.ident, Name::Item),
            Item::Union(item) => self.define(&item.ident, Name::Item),
            Item::Macro(item) => {
                if let Some(name) = &item.ident {
                    self.define(name, Name::Macro);
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, declaration: &'ast ItemMod) {
        declaration
            .attrs
            .iter()
            .for_each(|attribute| self.visit_attribute(attribute));
        self.child(declaration);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let prefix = if item.leading_colon.is_some() {
            vec![String::new()]
        } else {
            Vec::new()
        };
        self.import(
            &item.tree,
            &prefix,
            matches!(item.vis, Visibility::Inherited),
        );
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !attributes.iter().any(is_test) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attributes: &[Attribute] = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Type(item) => &item.attrs,
            TraitItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !attributes.iter().any(is_test) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let attributes: &[Attribute] = match statement {
            Stmt::Local(local) => &local.attrs,
            Stmt::Macro(statement) => &statement.attrs,
            _ => &[],
        };
        if !attributes.iter().any(is_test) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !field.attrs.iter().any(is_test) {
            visit::visit_field(self, field);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if !variant.attrs.iter().any(is_test) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.blocks += 1;
        visit::visit_block(self, block);
        self.blocks -= 1;
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        // A path of one segment can be a variable, unless it is called.
        if let Expr::Path(function) = &*call.func
            && let Some(name) = function.path.get_ident()
        {
            self.refer(vec![text(name)], name.span(), Kind::Path);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let leading = path.leading_colon.iter().map(|_| String::new());
        let names: Path = leading
            .chain(path.segments.iter().map(|segment| text(&segment.ident)))
            .collect();
        if (names.len() > 1 || is_capitalized(&names[0]))
            && let Some(first) = path.segments.first()
        {
            self.refer(names, first.ident.span(), Kind::Path);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let names: Path = item
            .path
            .segments
            .iter()
            .map(|segment| text(&segment.ident))
            .collect();
        if let Some(first) = item.path.segments.first() {
            self.refer(names, first.ident.span(), Kind::Macro);
        }
        self.tokens(item.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Reports if an attribute removes its item from every build but those of tests.
fn is_test(attribute: &Attribute) -> bool {
    let arguments = || {
        attribute
            .parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated)
    };
    attribute.path().is_ident("test")
        || attribute.path().is_ident("cfg")
            && arguments().is_ok_and(|list| list.iter().all(requires_test))
}

fn requires_test(condition: &Meta) -> bool {
    let Meta::List(list) = condition else {
        return condition.path().is_ident("test");
    };
    let Ok(parts) =
        list.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated)
    else {
        return false;
    };
    list.path.is_ident("all") && parts.iter().any(requires_test)
        || list.path.is_ident("any") && !parts.is_empty() && parts.iter().all(requires_test)
}

/// Returns the file of `#[path = "file"]` and of `#[cfg_attr(condition, path = "file")]`.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    fn value(meta: &Meta) -> Option<String> {
        let Meta::NameValue(pair) = meta else {
            return None;
        };
        let Expr::Lit(literal) = &pair.value else {
            return None;
        };
        let syn::Lit::Str(path) = &literal.lit else {
            return None;
        };
        pair.path.is_ident("path").then(|| path.value())
    }
    if attribute.path().is_ident("cfg_attr") {
        let parser = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
        return attribute
            .parse_args_with(parser)
            .ok()?
            .iter()
            .find_map(value);
    }
    value(&attribute.meta)
}

fn is_test_in_tokens(attribute: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = attribute else {
        return false;
    };
    group.stream().to_string().replace(' ', "") == "cfg(test)"
}

fn ends_item(token: &TokenTree) -> bool {
    is_punct(Some(token), ';')
        || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Reports if two tokens are `::`.
fn is_separator(first: Option<&TokenTree>, second: Option<&TokenTree>) -> bool {
    matches!(first, Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
        && is_punct(second, ':')
}

fn is_capitalized(name: &str) -> bool {
    name != "Self" && name.starts_with(|letter: char| letter.is_uppercase())
}

/// Returns the name without `r#`.
fn text(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

fn folder_of(file: &str) -> String {
    file.rsplit_once('/')
        .map_or_else(String::new, |(folder, _)| folder.to_owned())
}

fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}
