// The whole state of the page, put together: the stores, the connections and what keeps them in
// step. Components read it by `usePage`; tests build it with a network of their own.

import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../std/clock.ts';
import { failureText } from '../messages/failureText.ts';
import { generalMessages } from '../messages/generalMessages.ts';
import { showLanguage } from '../messages/showLanguage.ts';
import type { InjectedWallet } from '../wallet/discoverWallets.ts';
import type { PayStep } from '../wallet/payIn.ts';
import { type AccountCopy, type AccountNews, createAccountCopy } from './account.ts';
import { type DeleveragingRanks, keepDeleveragingRanks } from './deleveragingRanks.ts';
import { createDisconnectGuard, type DisconnectGuard } from './disconnectGuard.ts';
import type { Facts } from './facts.ts';
import type { BeforeFrame } from './framePace.ts';
import { keepAccount } from './keepAccount.ts';
import { keepTerms } from './keepTerms.ts';
import { keptSignal } from './keptSignal.ts';
import { type Link, type OpenSocket, openLink } from './link.ts';
import { loadPart } from './loadPart.ts';
import { type Market, marketOf } from './market.ts';
import { type MarketFeed, openMarketFeed } from './marketFeed.ts';
import { createNotices, type Notices } from './notices.ts';
import { createPreferences, type Preferences, type PreferredByPlatform } from './preferences.ts';
import { createRequestKeys, type RequestKeys } from './requestKeys.ts';
import { createRequests, learnTime, type Requests, type RequestsOptions } from './requests.ts';
import { createServerClock, type ServerClock } from './serverClock.ts';
import { createSession, type Session } from './session.ts';
import type { Store } from './store.ts';
import { createTickers, type Tickers } from './tickers.ts';

export type PageOptions = {
  readonly facts: Facts;
  /** Of the exchange, without a slash at its end. */
  readonly origin: string;
  readonly store: Store;
  /** Of this tab alone; it outlives a reload. */
  readonly tabStore: Store;
  readonly clock: Clock;
  readonly platform: PreferredByPlatform;
  /** The file of this program, as the shell of its own version names it. */
  readonly program: string;
  readonly fetch: typeof fetch;
  readonly openSocket: OpenSocket;
  readonly beforeFrame: BeforeFrame;
  readonly fillRandom: (bytes: Uint8Array<ArrayBuffer>) => unknown;
  readonly wallets: ReadonlySignal<readonly InjectedWallet[]>;
};

/** Margin mode, leverage, fees and limits (NAT-6). */
export type AccountTerms = Awaited<ReturnType<Requests['getNativeAccount']>>;

export type DepositState = {
  readonly step: 'typing' | 'open' | PayStep;
  /** Empty while all is well. */
  readonly problem: string;
};

export type Page = {
  readonly options: PageOptions;
  readonly facts: Facts;
  readonly preferences: Preferences;
  readonly session: Session;
  readonly requests: Requests;
  readonly requestKeys: RequestKeys;
  readonly notices: Notices;
  readonly serverClock: ServerClock;
  readonly link: Link;
  readonly tickers: Tickers;
  readonly account: AccountCopy;
  readonly deleveragingRanks: Signal<DeleveragingRanks>;
  readonly disconnectGuard: DisconnectGuard;
  /** Calls with everything that happens to the account. */
  readonly onNews: (listener: (news: AccountNews) => void) => () => void;
  /** In the order of listing; empty until they are known. */
  readonly markets: Signal<readonly Market[]>;
  /** Why the markets could not be read; empty while all is well. */
  readonly marketsProblem: Signal<string>;
  readonly symbol: Signal<string>;
  /** Of the chosen market. */
  readonly feed: ReadonlySignal<MarketFeed | undefined>;
  /** A price that was clicked somewhere; the ticket takes it. */
  readonly pickedPrice: Signal<string | undefined>;
  readonly pickedSize: Signal<string | undefined>;
  /** The deposit that the wallet makes, and why the last one failed: its form may be closed. */
  readonly deposit: Signal<DepositState>;
  /** By what the account's orders are judged; undefined until it is known. */
  readonly terms: Signal<AccountTerms | undefined>;
  readonly readTerms: () => Promise<void>;
  /** The exchange's time, once a second. */
  readonly now: Signal<number>;
  /** Resolves when the texts of the preferred language are shown, or cannot be had. */
  readonly textsRead: Signal<Promise<void>>;
  readonly close: () => void;
};

const secondMs = 1000;
const timeAgainMs = 300_000;
const marketsAgainMs = 60_000;
const marketsRetryMs = 3000;

export function createPage(options: PageOptions): Page {
  const { facts, origin, store, clock, openSocket } = options;
  const preferences = createPreferences(store, options.platform);
  const session = createSession({ store, clock, chainId: facts.chainId });
  const serverClock = createServerClock(clock);
  const notices = createNotices({
    later: (step, milliseconds) => setTimeout(step, milliseconds),
    now: serverClock.now,
  });
  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const asking = { baseUrl: origin, fetch: options.fetch, session, clock, wait };
  const requests = createRequests(asking);
  const link = openLink({ url: streamUrlOf(options), clock, openSocket, onError: () => {} });
  const account = createAccountCopy();
  const listeners = new Set<(news: AccountNews) => void>();
  const address = (): string | undefined => session.login.value?.address;
  const page: Page = {
    options,
    facts,
    preferences,
    session,
    requests,
    requestKeys: createRequestKeys({ fillRandom: options.fillRandom, address }),
    notices,
    serverClock,
    link,
    tickers: createTickers(link.client),
    account,
    deleveragingRanks: signal(new Map()),
    disconnectGuard: createDisconnectGuard({ store: options.tabStore, notices, address }),
    onNews: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    markets: signal([]),
    marketsProblem: signal(''),
    symbol: keptSignal(store, 'evermark.symbol', (kept) =>
      typeof kept === 'string' ? kept.slice(0, 40) : '',
    ),
    feed: signal(undefined),
    pickedPrice: signal(undefined),
    pickedSize: signal(undefined),
    deposit: signal({ step: 'typing', problem: '' }),
    terms: signal(undefined),
    readTerms: () => terms.readAgain(),
    now: signal(serverClock.now()),
    textsRead: signal(Promise.resolve()),
    close: () => {
      for (const end of ends.splice(0).reverse()) end();
    },
  };
  const give = (news: AccountNews): void => {
    for (const listener of listeners) listener(news);
  };
  const terms = keepTerms(page);
  const ends: (() => void)[] = [link.close, terms.close, ...keepers(page, asking, give)];
  learnTime(asking, serverClock).catch(() => {});
  return page;
}

/** What keeps the parts in step; each is ended by what it returns. */
function keepers(
  page: Page,
  asking: RequestsOptions,
  give: (news: AccountNews) => void,
): (() => void)[] {
  const { serverClock } = page;
  const streamUrl = streamUrlOf(page.options);
  return [
    keepLanguage(page),
    keepMarkets(page),
    keepFeed(page),
    keepPrices(page),
    keepAccount(page, { streamUrl, give }),
    keepDeleveragingRanks(page),
    every(secondMs, () => {
      page.now.value = serverClock.now();
    }),
    every(timeAgainMs, () => void learnTime(asking, serverClock).catch(() => {})),
  ];
}

const streamUrlOf = ({ origin }: Pick<PageOptions, 'origin'>): string =>
  `${origin.replace(/^http/, 'ws')}/ws`;

function every(milliseconds: number, step: () => void): () => void {
  const timer = setInterval(step, milliseconds);
  return () => clearInterval(timer);
}

/** Shows the language that is preferred, as soon as its texts are there; English until then. */
function keepLanguage({ preferences, options, notices, textsRead }: Page): () => void {
  return effect(() => {
    const language = preferences.language.value;
    const isWanted = (): boolean => preferences.language.peek() === language;
    textsRead.value = loadPart(options, () => showLanguage(language, isWanted)).catch((error) => {
      const title = generalMessages().language;
      notices.say({ kind: 'bad', title, text: failureText(error) });
    });
  });
}

/** Reads the markets now and then again: terms and states change. */
function keepMarkets(page: Page): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const read = async (): Promise<void> => {
    let againMs = marketsAgainMs;
    try {
      const markets = (await page.requests.listNativeMarkets()).map(marketOf);
      batch(() => {
        page.markets.value = markets;
        page.marketsProblem.value = '';
        const known = markets.some(({ symbol }) => symbol === page.symbol.value);
        if (!known && markets[0] !== undefined) page.symbol.value = markets[0].symbol;
      });
    } catch (error) {
      page.marketsProblem.value = failureText(error);
      againMs = marketsRetryMs;
    }
    if (!closed) timer = setTimeout(() => void read(), againMs);
  };
  void read();
  return () => {
    closed = true;
    clearTimeout(timer);
  };
}

/** One feed at a time: of the chosen market. */
function keepFeed(page: Page): () => void {
  const feed = page.feed as Signal<MarketFeed | undefined>;
  const stop = effect(() => {
    const market = page.markets.value.find(({ symbol }) => symbol === page.symbol.value);
    const open = feed.peek();
    if (market === undefined || open?.market.symbol === market.symbol) return;
    open?.close();
    feed.value = openMarketFeed(page.link.client, market, page.options.beforeFrame);
  });
  return () => {
    stop();
    feed.peek()?.close();
  };
}

/** Mark and index of the market on the screen. */
function keepPrices({ feed, tickers }: Page): () => void {
  return effect(() => {
    const prices = feed.value?.prices.value;
    if (prices !== undefined) tickers.takePrices(prices);
  });
}
