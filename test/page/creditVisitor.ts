// Acts for the person at the page: a client with the page's own login, and money from the operator.

import type { Page } from 'playwright-core';
import { createClient } from '../../src/client/createClient.ts';
import type { RunningServer } from '../fixtures/startServer.ts';

/** A client with the login of the page, as soon as it has one. */
export async function visitorOf(page: Page, server: RunningServer) {
  await page.waitForFunction(() => localStorage.getItem('evermark.session.43113') !== null);
  const { address, token } = await page.evaluate(
    () =>
      JSON.parse(localStorage.getItem('evermark.session.43113') ?? '') as {
        readonly address: string;
        readonly token: string;
      },
  );
  const { native } = createClient({ baseUrl: server.http, token });
  return { address, native };
}

/** Pays money into the account of the person at the page. */
export async function creditVisitor(page: Page, server: RunningServer, amount: string) {
  const visitor = await visitorOf(page, server);
  const { address } = visitor;
  await server.operator.creditAccount({ address, amount, reference: `for ${address}` });
  return visitor;
}
