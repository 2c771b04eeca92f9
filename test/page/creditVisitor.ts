// Pays money into the account of the person at the page, as the operator, and gives a client with
// the page's own login.

import type { Page } from 'playwright-core';
import { createClient } from '../../src/client/createClient.ts';
import type { RunningServer } from '../fixtures/startServer.ts';

export async function creditVisitor(page: Page, server: RunningServer, amount: string) {
  await page.waitForFunction(() => localStorage.getItem('evermark.session.43113') !== null);
  const { address, token } = await page.evaluate(
    () =>
      JSON.parse(localStorage.getItem('evermark.session.43113') ?? '') as {
        readonly address: string;
        readonly token: string;
      },
  );
  await server.operator.creditAccount({ address, amount, reference: `for ${address}` });
  const { native } = createClient({ baseUrl: server.http, token });
  return { address, native };
}
