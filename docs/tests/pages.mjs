// The pages of the built book, opened in Chromium without a network.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

export const folder = process.env.PAYSPEC_BOOK;
if (!folder) throw new Error("PAYSPEC_BOOK is not set: cargo xtask test book sets it");
export const BOOK = pathToFileURL(`${folder}/`).href;
export const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Opens a page offline, and fails if it requests anything outside the book or reports an error. */
export async function visit(browser, path, options, work) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options, offline: true });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(BOOK + path);
  await work(page, requests);
  assert.deepEqual(requests.filter((address) => !address.startsWith(BOOK) && !address.startsWith("data:")), []);
  assert.deepEqual(complaints, []);
  await context.close();
}
