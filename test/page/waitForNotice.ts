// Notices of the page. One leaves after a few seconds, and on a busy machine a test may look later:
// so the browser keeps what each of them said.

import type { BrowserContext, Page } from 'playwright-core';

const keepTexts = `
  globalThis.saidByNotices = [];
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (node instanceof Element && node.matches('output > *')) saidByNotices.push(node.textContent);
      }
    }
  }).observe(document, { childList: true, subtree: true });
`;

/** For every page of the context, from its next opening on. */
export async function keepNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: keepTexts });
}

type Kept = { readonly saidByNotices: readonly string[] };

/** Resolves when a notice says this, or has said it since the page was opened. */
export async function waitForNotice(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (awaited) =>
      (globalThis as unknown as Kept).saidByNotices.some((said) => said.includes(awaited)),
    text,
    { polling: 50 },
  );
}
