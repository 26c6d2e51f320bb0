// `payspec/messages/ru`: the messages of violations in Russian.

import { messagesIn } from "./render.js";
import { CATEGORIES, NAMES, TEXTS } from "./ru.js";

export const language = "ru";
export const { message, messages } = messagesIn(language, CATEGORIES, TEXTS, NAMES);
