// An exchange that is the same whenever it is opened: its clock stands still, its prices are set by
// hand, and everything in it was placed by wallets of the test. Pictures are taken of it.

import type { BrowserContext } from 'playwright-core';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { type RunningServer, startServer } from '../fixtures/startServer.ts';
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../fixtures/temporaryDirectory.ts';
import { createWallet } from '../identity/wallet.ts';

/** 14 November 2026, 10:26:40 UTC. */
export const pictureTime = 1_794_652_000_000;

const symbol = 'BTCUSDT';
const chainId = 43113;

export type PictureWorld = {
  readonly server: RunningServer;
  /** Makes the visits of this context those of the account with orders and positions. */
  readonly signIn: (context: BrowserContext) => Promise<void>;
  /** Gives every visit the clock of the exchange, and a history of candles. */
  readonly stopClock: (context: BrowserContext) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Trader = {
  readonly native: Client['native'];
  readonly login: Readonly<Record<string, string | number>>;
};

export async function openPictureWorld(): Promise<PictureWorld> {
  const directory: TemporaryDirectory = createTemporaryDirectory();
  const server = await startServer({
    data: directory.path,
    flags: ['--feed', 'manual', '--no-market-maker'],
    clockStopsAt: pictureTime,
  });
  const close = async (): Promise<void> => {
    await server.stop();
    directory[Symbol.dispose]();
  };
  try {
    const trader = await trade(server);
    return {
      server,
      close,
      signIn: async (context) => {
        await context.addInitScript((kept) => {
          localStorage.setItem('evermark.session.43113', kept);
        }, JSON.stringify(trader.login));
      },
      stopClock: async (context) => {
        await context.clock.setFixedTime(pictureTime);
        // The market has only just begun, and its candles are of a longer time.
        await context.addInitScript(() => localStorage.setItem('evermark.interval', '"15m"'));
        await context.route(/\/api\/v1\/candles\//, (route) => route.fulfill({ json: candles }));
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openTrader(server: RunningServer, seed: number, amount: string): Promise<Trader> {
  const { address, sign } = createWallet(seed);
  await server.operator.creditAccount({ address, amount, reference: `deposit ${seed}` });
  const { native: visitor } = createClient({ baseUrl: server.http });
  const { nonce, timestamp } = await visitor.getLoginNonce({ address });
  const signature = await sign({ chainId, address, nonce, timestamp });
  const { token, expires_at } = await visitor.login({ address, nonce, timestamp, signature });
  const { native } = createClient({ baseUrl: server.http, token });
  const login = {
    address,
    kind: 'injected',
    wallet: 'Picture Wallet',
    token,
    expiresAt: expires_at,
  };
  return { native, login };
}

/** A book around 50,000, and an account with a past, a position and open orders. */
async function trade(server: RunningServer): Promise<Trader> {
  const { operator } = server;
  for (const [market, price] of [
    [symbol, '50000'],
    ['ETHUSDT', '3000'],
    ['SOLUSDT', '150'],
  ] as const) {
    await operator.setIndexPrice({ symbol: market, price }).catch(() => {});
  }
  const maker = await openTrader(server, 901, '1000000');
  const trader = await openTrader(server, 902, '25000');
  await makeBook(maker);
  const { native } = trader;
  const market = { symbol, type: 'MARKET' } as const;
  await native.placeNativeOrder({ ...market, side: 'BUY', quantity: '0.25' });
  await native.placeNativeOrder({ ...market, side: 'SELL', quantity: '0.07' });
  await native.placeNativeOrder({ ...market, side: 'BUY', quantity: '0.12' });
  const limit = { symbol, type: 'LIMIT', quantity: '0.1' } as const;
  await native.placeNativeOrder({ ...limit, side: 'BUY', price: '49800', client_order_id: 'dip' });
  await native.placeNativeOrder({ ...limit, side: 'SELL', price: '50400', reduce_only: true });
  const gone = await native.placeNativeOrder({ ...limit, side: 'BUY', price: '49000' });
  await native.cancelNativeOrder({ id: gone.order_id });
  await operator.settleFunding({ symbol });
  const { id } = await native.requestWithdrawal({ amount: '120.5' });
  await operator.resolveWithdrawal({ id, action: 'complete' });
  await native.requestWithdrawal({ amount: '75' });
  await native.setReferralCode({ code: 'PICTURES' });
  const stop = { symbol, side: 'SELL', type: 'STOP_MARKET', reduce_only: true } as const;
  const { algo_id: stopId } = await native.placeNativeTrigger({
    ...stop,
    quantity: '0.1',
    trigger_price: '49500',
  });
  await native.cancelNativeTrigger({ id: stopId });
  return trader;
}

const bookLevels = 14;

async function makeBook({ native }: Trader): Promise<void> {
  for (let level = 1; level <= bookLevels; level += 1) {
    const away = level * 4 + ((level * level) % 5);
    const quantity = `0.${String(60 + ((level * 37) % 90)).padStart(3, '0')}`;
    const limit = { symbol, type: 'LIMIT', quantity } as const;
    await native.placeNativeOrder({ ...limit, side: 'BUY', price: `${50_000 - away}.5` });
    await native.placeNativeOrder({ ...limit, side: 'SELL', price: `${50_000 + away}.5` });
  }
}

const candleMs = 900_000;
const candleCount = 160;

/** A walk that is always the same, up to the candle before the present one. */
const candles = Array.from({ length: candleCount }, (_, n) => {
  const at = (place: number): number =>
    49_600 + 240 * Math.sin(place / 9) + 130 * Math.sin(place / 3.7) + place * 2;
  const [open, close] = [at(n), at(n + 1)];
  const text = (value: number): string => value.toFixed(1);
  const opens = Math.floor(pictureTime / candleMs) * candleMs - (candleCount - n) * candleMs;
  return {
    open_time: opens,
    close_time: opens + candleMs - 1,
    open: text(open),
    high: text(Math.max(open, close) + 30 + (n % 7) * 6),
    low: text(Math.min(open, close) - 25 - (n % 5) * 7),
    close: text(close),
    volume: text(3 + ((n * 13) % 17)),
    quote_volume: text(150_000),
    trades: 40,
    closed: true,
  };
});
