// The language of the page: the one that the payer has chosen, otherwise the first of the browser that the page has.

import { query, setText } from "../dom.js";
import { en, type Texts } from "./en.js";

type Language = "en" | "ru";

const NAMES: Readonly<Record<Language, string>> = { en: "English", ru: "Русский" };
const CHOICE = "payspec-language";

let language: Language = "en";
let current: Texts = en;
const listeners: (() => void)[] = [];

/** The texts in the current language. */
export const texts = (): Texts => current;

/** Returns the language tag for `Intl`: that of the browser, with its region, if it is of the current language. */
export const locale = (): string => navigator.languages.find((tag) => languageOf(tag) === language) ?? language;

/** Calls a function that shows texts: now, and after each change of the language. */
export function onLanguage(show: () => void): void {
  listeners.push(show);
  show();
}

/** Starts with the preferred language, and lets the payer change it. */
export async function startLanguage(): Promise<void> {
  const button = query(document, "#language", HTMLButtonElement);
  button.addEventListener("click", () => {
    const other = otherLanguage();
    void use(other).then((isUsed) => isUsed && remember(other));
  });
  // Without the other texts, for example offline, the page stays in English.
  await use(chosen() ?? navigator.languages.map(languageOf).find((known) => known !== undefined) ?? "en");
  onLanguage(() => {
    document.documentElement.lang = language;
    const other = otherLanguage();
    setText(button, NAMES[other]);
    button.lang = other;
    for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) setText(element, pageText(element.dataset["text"]));
    for (const input of document.querySelectorAll<HTMLInputElement>("[data-hint]")) input.placeholder = pageText(input.dataset["hint"]);
    for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", pageText(element.getAttribute("data-label") ?? ""));
  });
}

/** Returns the text of an element. */
const pageText = (key = ""): string => ({ ...current.page, ...current.banks })[key] ?? key;

const otherLanguage = (): Language => (language === "en" ? "ru" : "en");

function languageOf(tag: string): Language | undefined {
  const [primary = ""] = tag.toLowerCase().split("-");
  return primary === "en" || primary === "ru" ? primary : undefined;
}

/** Shows the page in a language. Returns false if its texts cannot be loaded. */
async function use(wanted: Language): Promise<boolean> {
  try {
    // Most payers never load the texts of another language.
    current = wanted === "en" ? en : (await import("./ru.js")).ru;
  } catch {
    return false;
  }
  language = wanted;
  for (const show of listeners) show();
  return true;
}

function remember(choice: Language): void {
  try {
    localStorage.setItem(CHOICE, choice);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
}

function chosen(): Language | undefined {
  try {
    return languageOf(localStorage.getItem(CHOICE) ?? "");
  } catch {
    return undefined;
  }
}
