// Keeps the waiting triggers of the account: read at the login, after everything that may change
// them, and now and then, because other programs of the account place triggers too.

import { effect } from '@preact/signals';
import type { Trigger } from './account.ts';
import type { Page } from './page.ts';

export type KeptTriggers = {
  /** They have probably changed. Several calls at once are one request. */
  readonly readAgain: () => void;
  readonly close: () => void;
};

const soonMs = 250;
const againMs = 15_000;

export function keepTriggers(page: Page): KeptTriggers {
  const { session, account } = page;
  let soon: ReturnType<typeof setTimeout> | undefined;
  const read = async (): Promise<void> => {
    soon = undefined;
    const address = session.login.peek()?.address;
    if (address === undefined) return;
    const found = await readTriggers(page);
    if (found === undefined || session.login.peek()?.address !== address) return;
    account.triggers.value = new Map(found.map((each) => [each.algo_id, each]));
  };
  const readAgain = (): void => {
    soon ??= setTimeout(() => void read(), soonMs);
  };
  const stop = effect(() => {
    // What fires a trigger, or ends one, changes these too.
    account.orders.value;
    account.positions.value;
    if (session.login.value !== undefined) readAgain();
  });
  const timer = setInterval(readAgain, againMs);
  return {
    readAgain,
    close: () => {
      stop();
      clearInterval(timer);
      clearTimeout(soon);
    },
  };
}

/** Undefined when they cannot be read now. */
async function readTriggers({ requests }: Page): Promise<readonly Trigger[] | undefined> {
  try {
    return await requests.listNativeTriggers({});
  } catch {
    return undefined;
  }
}
