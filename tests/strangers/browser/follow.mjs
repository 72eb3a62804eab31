// Follow one game with a browser's own EventSource, and print every event as a line of JSON.
// Arguments: the browser, a page of the service, and {"game", "token", "example"} as JSON: without a
// token the plainest EventSource there is, with one the guide's example.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, address, given] = process.argv.slice(2);
const { game, token, example, types } = JSON.parse(given);
const profile = mkdtempSync(join(tmpdir(), "browser-"));
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});
const page = await browser.newPage();
let closed;
const over = new Promise((resolve) => { closed = resolve; });
await page.exposeFunction("tell", say);
await page.exposeFunction("close_", closed);
await page.goto(address);
if (token === null) {
  await page.evaluate(([id, names]) => {
    const source = new EventSource(`/v1/games/${id}/events`);
    for (const name of names) {
      source.addEventListener(name, (event) => window.tell(JSON.parse(event.data)));
    }
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) window.close_();
    };
  }, [game, types]);
} else {
  const asked = [game, token].map((word) => JSON.stringify(word)).join(", ");
  await page.evaluate(`(async () => {
    ${example}
    await follow(${asked}, (event) => window.tell(event));
    window.close_();
  })()`);
}
await over;
await browser.close();
rmSync(profile, { recursive: true, force: true });
