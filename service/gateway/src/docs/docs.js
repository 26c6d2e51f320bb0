// Connects the form for the access token with the console of OpenAPI Explorer.

// OpenAPI Explorer takes an access token from its address, but a link must not choose the token of the console. This runs first.
const removeToken = () => {
  const hash = /(access_token|state)=/.test(location.hash) ? "" : location.hash;
  if (location.search || hash !== location.hash) history.replaceState(null, "", location.pathname + hash);
};
removeToken();
addEventListener("hashchange", removeToken, { capture: true });

const explorer = document.querySelector("openapi-explorer");
const form = document.getElementById("token-form");
const state = document.getElementById("token-state");

// The console sends requests to the server of this page, even if the document names another address.
explorer.setAttribute("server-url", location.origin);

// OpenAPI Explorer hides the focus of most elements, and takes only clicks where it folds rows and operations or leads to components.
// Each of its shadow trees gets a sheet of styles, and an observer for elements that are added later. Words that are buttons are large enough for a finger.
const focused = new CSSStyleSheet();
focused.replaceSync(`
  :focus-visible { outline: 3px solid var(--primary-color) !important; outline-offset: -3px; }
  .tr.collapsed + .object-body, .collapsed > .nav-bar-section-wrapper { visibility: hidden; }
  span[role="button"] { display: inline-block; min-height: 24px; line-height: 24px; }
`);
const CLICKED = ".nav-bar-path, .nav-bar-section:has(.toggle), .section-tag-header, .endpoint-head, .open-bracket, [style*='cursor:pointer']:not(svg, .tooltip)";
const known = new WeakSet();
const complete = (root) => {
  if (!known.has(root)) {
    known.add(root);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, focused];
    new MutationObserver(() => complete(root)).observe(root, { childList: true, subtree: true });
  }
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) complete(element.shadowRoot);
    const takesClicks = element.matches(CLICKED);
    // The keyboard scrolls an element only if it can have the focus.
    if (element.tabIndex < 0 && (takesClicks || element.localName === "main")) element.tabIndex = 0;
    if (takesClicks && !element.role) {
      element.role = "button";
      element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        element.click();
      });
    }
  }
};
explorer.addEventListener("spec-loaded", async () => {
  await explorer.updateComplete;
  complete(explorer.shadowRoot);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await explorer.setAuthenticationConfiguration("bearer", { token: form.elements.token.value });
    state.textContent = "The console uses this token.";
  } catch {
    state.textContent = "The document is not loaded yet.";
  }
});
