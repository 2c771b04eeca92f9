// Keeps what the account's orders are judged by (NAT-6): margin mode, leverage and fees on each
// market. It is read at the login, after every change made here, and now and then, because other
// programs of the account change it too.

import { effect } from '@preact/signals';
import type { AccountTerms, Page } from './page.ts';

export type KeptTerms = {
  readonly readAgain: () => Promise<void>;
  readonly close: () => void;
};

const againMs = 60_000;
const retryMs = 3000;

export function keepTerms(page: Page): KeptTerms {
  const { session, requests } = page;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const readAgain = async (): Promise<void> => {
    clearTimeout(timer);
    const address = session.login.peek()?.address;
    if (address === undefined) return;
    let found: AccountTerms | undefined;
    try {
      found = await requests.getNativeAccount();
    } catch {
      // The ticket then shows no leverage, and asks again.
    }
    if (isClosed || session.login.peek()?.address !== address) return;
    if (found !== undefined) page.terms.value = found;
    clearTimeout(timer);
    timer = setTimeout(() => void readAgain(), found === undefined ? retryMs : againMs);
  };
  const stop = effect(() => {
    if (session.login.value?.address === undefined) page.terms.value = undefined;
    else void readAgain();
  });
  return {
    readAgain,
    close: () => {
      isClosed = true;
      stop();
      clearTimeout(timer);
    },
  };
}
