// Polls a payment until it has ended: quickly at first, then with growing pauses, and only while the page is visible.

import { read, type Answer } from "../api.js";
import type { Payment } from "payspec";

const FIRST_MS = 800;
const GROWTH = 1.4;
const LONGEST_MS = 15_000;
/** A forgotten page stops polling. */
const GIVE_UP_MS = 20 * 60_000;

/** Returns the pause after `quiet` answers without news. It varies by a tenth, so that pages do not poll together. */
export function pause(quiet: number, chance: number = Math.random()): number {
  return Math.min(FIRST_MS * GROWTH ** quiet, LONGEST_MS) * (0.9 + chance / 5);
}

/**
 * Polls a payment. `onAnswer` returns whether to go on, and whether there was news. `onGiveUp` is called when polling
 * stops. Returns a function that polls at once.
 */
export function follow(uid: string, onAnswer: (answer: Answer<Payment>) => { goOn: boolean; news: boolean }, onGiveUp: () => void): () => void {
  let quiet = 0;
  let timer: number | undefined;
  let polling = false;
  let ended = false;
  let until = Date.now() + GIVE_UP_MS;

  async function poll(): Promise<void> {
    if (polling || ended) return;
    window.clearTimeout(timer);
    polling = true;
    const { goOn, news } = onAnswer(await read(uid));
    polling = false;
    ended = !goOn;
    if (ended) return;
    quiet = news ? 0 : quiet + 1;
    if (Date.now() > until) onGiveUp();
    else if (!document.hidden) timer = window.setTimeout(() => void poll(), pause(quiet));
  }

  function now(): void {
    quiet = 0;
    until = Date.now() + GIVE_UP_MS;
    void poll();
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) window.clearTimeout(timer);
    else now();
  });
  window.addEventListener("online", now);
  void poll();
  return now;
}
