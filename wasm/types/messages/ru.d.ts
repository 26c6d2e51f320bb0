// Types of `payspec/messages/ru`: the messages of violations in Russian.

export * from "../messages.js";

/** The language of the messages (BCP 47). */
export declare const language: "ru";
