// Types of `payspec/messages/en`: the messages of violations in English.

export * from "../messages.js";

/** The language of the messages (BCP 47). */
export declare const language: "en";
