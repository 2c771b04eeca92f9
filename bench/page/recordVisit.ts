// What one page requests and says, recorded in a real Chromium: its HTTP requests, its sockets and
// the messages on them, each with its time.

import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openVisit } from '../../test/page/openVisit.ts';
import { check } from '../report.ts';

/** Milliseconds since the visit began. */
type Timed = { readonly at: number };

export type RecordedRequest = Timed & {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type RecordedSocket = Timed & {
  readonly path: string;
  readonly says: readonly (Timed & { readonly text: string })[];
};

export type RecordedVisit = {
  readonly requests: readonly RecordedRequest[];
  readonly sockets: readonly RecordedSocket[];
  /** How long it was watched. */
  readonly milliseconds: number;
};

export type RecordVisit = {
  readonly url: string;
  /** What the browser keeps of the login: the page opens signed in. */
  readonly session: { readonly name: string; readonly value: string };
  readonly seconds: number;
  /** Happens while the page is watched. */
  readonly meanwhile: () => Promise<void>;
};

export async function recordVisit(
  browser: Browser,
  { url, session, seconds, meanwhile }: RecordVisit,
): Promise<RecordedVisit> {
  const requests: RecordedRequest[] = [];
  const sockets = new Map<string, RecordedSocket & { says: (Timed & { text: string })[] }>();
  const follow = async (page: Page): Promise<void> => {
    await page.addInitScript(({ name, value }) => localStorage.setItem(name, value), session);
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    followNetwork(network, requests, sockets);
  };
  const visit = await openVisit(browser, { url, before: follow });
  await visit.page.locator('canvas').first().waitFor();
  await Promise.all([setTimeout(seconds * 1000), meanwhile()]);
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
  const began = Math.min(...requests.map(({ at }) => at));
  const since = <T extends Timed>(event: T): T => ({ ...event, at: event.at - began });
  return {
    requests: requests.map(since),
    sockets: [...sockets.values()].map((each) => ({ ...since(each), says: each.says.map(since) })),
    milliseconds: seconds * 1000,
  };
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Its times are seconds of a clock of the browser. */
function followNetwork(
  network: CDPSession,
  requests: RecordedRequest[],
  sockets: Map<string, RecordedSocket & { says: (Timed & { text: string })[] }>,
): void {
  network.on('Network.requestWillBeSent', ({ request, timestamp }) => {
    if (!request.url.startsWith('http')) return;
    const { method, headers, postData } = request;
    const path = pathOf(request.url);
    requests.push({ at: timestamp * 1000, method, path, headers, body: postData });
  });
  const paths = new Map<string, string>();
  network.on('Network.webSocketCreated', ({ requestId, url }) => paths.set(requestId, pathOf(url)));
  network.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, timestamp }) => {
    const path = paths.get(requestId) ?? '/';
    sockets.set(requestId, { at: timestamp * 1000, path, says: [] });
  });
  network.on('Network.webSocketFrameSent', ({ requestId, timestamp, response }) => {
    sockets.get(requestId)?.says.push({ at: timestamp * 1000, text: response.payloadData });
  });
}
