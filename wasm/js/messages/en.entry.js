// `payspec/messages/en`: the messages of violations in English.

import { CATEGORIES, TEXTS } from "./en.js";
import { messagesIn } from "./render.js";

export const language = "en";
export const { message, messages } = messagesIn(language, CATEGORIES, TEXTS);
