// Connects the form for the access token with the console of OpenAPI Explorer.

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
