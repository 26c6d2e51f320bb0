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

// The keyboard scrolls an element only if it can have the focus.
explorer.addEventListener("spec-loaded", async () => {
  await explorer.updateComplete;
  explorer.shadowRoot.querySelector("main").tabIndex = 0;
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
