// Asks after a payment until it has ended: quickly at first, then at growing pauses, and not while nobody looks.

import { read, type Answer } from "../api.js";
import type { Payment } from "payspec";

const FIRST_MS = 800;
const GROWTH = 1.4;
const LONGEST_MS = 15_000;
/** An open page that is forgotten does not ask for ever. */
const GIVE_UP_MS = 20 * 60_000;

/** The pause after so many answers without news; a tenth by chance, so that many pages do not ask at once. */
export function pause(quiet: number, chance: number = Math.random()): number {
  return Math.min(FIRST_MS * GROWTH ** quiet, LONGEST_MS) * (0.9 + chance / 5);
}

/**
 * Reads a payment again and again. `told` says whether to go on, and whether there was news; `tired` is called when it
 * gives up. The function that comes back asks at once.
 */
export function follow(uid: string, told: (answer: Answer<Payment>) => { goOn: boolean; news: boolean }, tired: () => void): () => void {
  let quiet = 0;
  let timer: number | undefined;
  let asking = false;
  let ended = false;
  let until = Date.now() + GIVE_UP_MS;

  async function ask(): Promise<void> {
    if (asking || ended) return;
    window.clearTimeout(timer);
    asking = true;
    const { goOn, news } = told(await read(uid));
    asking = false;
    ended = !goOn;
    if (ended) return;
    quiet = news ? 0 : quiet + 1;
    if (Date.now() > until) tired();
    else if (!document.hidden) timer = window.setTimeout(() => void ask(), pause(quiet));
  }

  function now(): void {
    quiet = 0;
    until = Date.now() + GIVE_UP_MS;
    void ask();
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) window.clearTimeout(timer);
    else now();
  });
  window.addEventListener("online", now);
  void ask();
  return now;
}
