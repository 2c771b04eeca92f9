// Lets the page see a hostile text wherever the exchange writes a harmless word: in every answer
// and in every message of a stream. What the page sends has the harmless word again, so the page
// works on a market, on orders and on codes with hostile names, as if every check of the exchange
// had failed.

import type { Page, Route } from 'playwright-core';

export type PlantText = {
  /** What the exchange knows; letters and digits. */
  readonly word: string;
  /** What the page sees instead. */
  readonly text: string;
};

export async function plantText(page: Page, { word, text }: PlantText): Promise<void> {
  const inJson = JSON.stringify(text).slice(1, -1);
  const plant = (json: string): string => json.replaceAll(word, inJson);
  const restore = (json: string): string => json.replaceAll(inJson, word).replaceAll(text, word);
  const answer = async (route: Route): Promise<void> => {
    const request = route.request();
    const url = restore(decodeURIComponent(request.url().replaceAll('+', '%20')));
    const sent = request.postData();
    const response = await route.fetch({
      url,
      ...(sent === null ? {} : { postData: restore(sent) }),
    });
    await route.fulfill({ response, body: plant(await response.text()) });
  };
  await page.route(/\/f?api\//, answer);
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const exchange = socket.connectToServer();
    socket.onMessage((message) => exchange.send(restore(String(message))));
    exchange.onMessage((message) => socket.send(plant(String(message))));
  });
  // An element that was there for a moment is one, too.
  await page.addInitScript(() => {
    const look = (node: Node): void => {
      if (!(node instanceof Element)) return;
      if (node.matches('img, b, iframe') || node.querySelector('img, b, iframe') !== null) {
        console.error(`planted: ${node.outerHTML.slice(0, 200)}`);
      }
    };
    new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(look);
    }).observe(document, { childList: true, subtree: true });
  });
}
