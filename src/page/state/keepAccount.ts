// Keeps the copy of the account while there is a login: a connection of its own with the token, the
// snapshot and every message, and the fills that happened before.

import { effect } from '@preact/signals';
import { type AccountNews, addFills, forgetAccount, takeAccount } from './account.ts';
import type { Link } from './link.ts';
import { openLink } from './link.ts';
import type { Page } from './page.ts';
import type { Login } from './session.ts';

export type KeepAccount = {
  readonly streamUrl: string;
  readonly give: (news: AccountNews) => void;
};

const fillsAsked = 100;

export function keepAccount(page: Page, { streamUrl, give }: KeepAccount): () => void {
  const { session, account, disconnectGuard } = page;
  let link: Link | undefined;
  let address = '';
  /** The wallet whose earlier fills were read. */
  let fillsOf = '';
  const leave = (): void => {
    link?.close();
    link = undefined;
    disconnectGuard.leave();
    forgetAccount(account);
  };
  const stop = effect(() => {
    const login = session.login.value;
    if (login?.address === address && login !== undefined) {
      // The same wallet with another token: the channel goes on, and so does what is armed.
      link?.client.renewToken();
      return;
    }
    leave();
    address = login?.address ?? '';
    fillsOf = '';
    if (login !== undefined) link = openAccount(page, { streamUrl, give });
  });
  // Once for each login, as soon as the page knows the markets: later fills come as messages.
  const stopFills = effect(() => {
    const login = session.login.value;
    const symbols = page.markets.value.map(({ symbol }) => symbol);
    if (login === undefined || symbols.length === 0 || fillsOf === login.address) return;
    fillsOf = login.address;
    void readFills(page, login, symbols);
  });
  return () => {
    stop();
    stopFills();
    link?.close();
  };
}

function openAccount(page: Page, { streamUrl, give }: KeepAccount): Link {
  const { session, account, disconnectGuard } = page;
  const { clock, openSocket } = page.options;
  const link = openLink({
    url: streamUrl,
    clock,
    openSocket,
    token: async () => session.login.value?.token ?? '',
    onArmed: disconnectGuard.takeArmed,
    onError: (failure) => {
      const token = session.login.value?.token;
      if (failure.code !== 'INVALID_TOKEN') disconnectGuard.takeFailure(failure);
      else if (token !== undefined) session.expire(token);
    },
  });
  disconnectGuard.enter(link.client);
  link.client.subscribe('account', (message) => {
    const news = takeAccount(account, message);
    if (news !== undefined) give(news);
  });
  return link;
}

async function readFills(
  { requests, session, account }: Page,
  { address }: Login,
  symbols: readonly string[],
): Promise<void> {
  for (const symbol of symbols) {
    try {
      const fills = await requests.listFills({ symbol, limit: fillsAsked });
      if (session.login.value?.address !== address) return;
      addFills(account, fills as unknown as Parameters<typeof addFills>[1]);
    } catch {
      // The list then begins with what happens from now on.
    }
  }
}
