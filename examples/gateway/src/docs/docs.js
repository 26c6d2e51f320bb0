// Shows an OpenAPI document. Every text is inserted as text, never as markup.

const main = document.getElementById("document");

/** An element with its children; strings become text. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The little of Markdown that the document uses: paragraphs, **bold** and `code`. */
function prose(text) {
  const paragraphs = (text ?? "").split(/\n\n+/).filter(Boolean);
  return paragraphs.map((paragraph) => {
    const parts = paragraph.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
      if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
      if (part.startsWith("`")) return element("code", {}, part.slice(1, -1));
      return part;
    });
    return element("p", {}, ...parts);
  });
}

function details(summary, ...children) {
  return element("details", {}, element("summary", {}, summary), ...children);
}

function json(value) {
  return element("pre", { tabIndex: 0 }, JSON.stringify(value, null, 2));
}

/** Follows references within the document. */
function resolve(root, value) {
  let found = value;
  for (let hops = 0; found?.$ref?.startsWith("#/") && hops < 16; hops += 1) {
    const steps = found.$ref.slice(2).split("/");
    found = steps.reduce((at, step) => at?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  }
  return found ?? {};
}

const nameOf = (reference) => reference?.$ref?.split("/").pop();

/** A schema in a few words, with a link if it has a name. */
function kind(schema) {
  const name = nameOf(schema);
  if (name) return element("a", { href: `#schema-${name}` }, name);
  const type = [schema?.type].flat().filter(Boolean).join(" or ");
  if (schema?.const !== undefined) return element("code", {}, JSON.stringify(schema.const));
  if (schema?.enum) return element("code", {}, schema.enum.map((value) => JSON.stringify(value)).join(" | "));
  const several = schema?.oneOf ?? schema?.anyOf;
  if (several) {
    const words = several.flatMap((one, place) => (place ? [" or ", kind(one)] : [kind(one)]));
    return element("span", {}, ...words);
  }
  const format = schema?.format ? ` (${schema.format})` : "";
  return element("span", {}, `${type || "any"}${format}`, ...(schema?.items ? [" of ", kind(schema.items)] : []));
}

function members(schema) {
  const rows = Object.entries(schema?.properties ?? {}).map(([name, member]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("code", {}, name), schema.required?.includes(name) ? " *" : ""),
      element("td", {}, kind(member)),
      element("td", {}, ...prose(member.description)),
    ),
  );
  if (rows.length === 0) return null;
  const head = ["Member", "Type", "Meaning"].map((text) => element("th", { scope: "col" }, text));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  return element("div", { className: "scroll", tabIndex: 0 }, table);
}

function content(content) {
  return Object.entries(content ?? {}).flatMap(([type, media]) => [
    element("p", {}, element("code", {}, type), " ", media.schema ? kind(media.schema) : null),
    ...Object.entries(media.examples ?? {}).map(([name, example]) => details(example.summary ?? name, json(example.value))),
  ]);
}

function operation(root, path, method, described) {
  const parameters = (described.parameters ?? []).map((parameter) => {
    const found = resolve(root, parameter);
    return element("li", {}, element("code", {}, found.name), ` in ${found.in}. `, ...prose(found.description));
  });
  const responses = Object.entries(described.responses ?? {}).map(([status, response]) => {
    const found = resolve(root, response);
    return element("section", {}, element("h4", {}, status), ...prose(found.description), ...content(found.content));
  });
  const body = resolve(root, described.requestBody);
  return element(
    "article",
    { id: described.operationId },
    element("h2", {}, element("span", { className: "method" }, method.toUpperCase()), " ", element("code", {}, path)),
    ...prose(described.description),
    parameters.length ? element("ul", {}, ...parameters) : null,
    body.content ? element("h3", {}, "Request") : null,
    ...prose(body.description),
    ...content(body.content),
    element("h3", {}, "Answers"),
    ...responses,
  );
}

function schema(name, described) {
  return element(
    "article",
    { id: `schema-${name}` },
    element("h3", {}, name),
    ...prose(described.description),
    members(described),
    details("As JSON Schema", json(described)),
  );
}

async function show() {
  const response = await fetch("/openapi.json");
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
  const root = await response.json();
  document.title = root.info.title;
  document.getElementById("title").textContent = root.info.title;
  const operations = Object.entries(root.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ["get", "post", "put", "delete", "patch"].includes(method))
      .map(([method, described]) => operation(root, path, method, described)),
  );
  const schemas = Object.entries(root.components?.schemas ?? {}).map(([name, described]) => schema(name, described));
  main.replaceChildren(...prose(root.info.description), ...operations, element("h2", {}, "Schemas"), ...schemas);
}

show()
  .catch((error) => main.replaceChildren(element("p", { role: "alert" }, `The document cannot be shown: ${error.message}`)))
  .finally(() => main.removeAttribute("aria-busy"));
