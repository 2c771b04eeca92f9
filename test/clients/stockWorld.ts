// The running program with accounts that stock clients use: every account is read by both clients,
// and their readings are compared with each other and with the operator's invariants.

import type { USDMClient } from 'binance';
import type { binanceusdm } from 'ccxt';
import { expect } from 'vitest';
import { setPrice } from '../fixtures/setPrice.ts';
import { type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { noteUndocumented } from '../fixtures/undocumented.ts';
import { exact, sum, times } from './exactDecimal.ts';
import { feedFlags } from './priceFeed.ts';
import { createBinance, createCcxt, openStockAccount, type StockAccount } from './stockAccount.ts';

export type StockTrader = {
  readonly account: StockAccount;
  readonly ccxt: binanceusdm;
  readonly binance: USDMClient;
};

export type StockWorld = {
  readonly server: RunningServer;
  /** A new account with this much USDT and both clients on its key. */
  readonly openTrader: (usdt: string) => Promise<StockTrader>;
  /** Feed manual: the index of a market from now on; it has been seen when this returns. */
  readonly moveIndex: (symbol: string, price: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Index prices of a world whose test moves them itself. */
export type ManualPrices = Readonly<Record<string, number>>;

/**
 * Starts the program without a market maker, so that the accounts of the test are all there is. Its
 * prices are the recorded ones unless the test gives them; `more` are further flags of `start`.
 */
export async function openStockWorld(
  prices?: ManualPrices,
  more: readonly string[] = [],
): Promise<StockWorld> {
  const directory = createTemporaryDirectory();
  const feed = prices === undefined ? feedFlags() : ['--feed', 'manual'];
  const flags = [...feed, '--no-market-maker', '--no-demo', ...more];
  const server = await startServer({
    data: directory.path,
    flags,
    onUndocumented: noteUndocumented,
  });
  const moveIndex: StockWorld['moveIndex'] = async (symbol, price) => {
    await setPrice(server.operator, { symbol, price: String(price) });
  };
  for (const [symbol, price] of Object.entries(prices ?? {})) await moveIndex(symbol, price);
  let traders = 0;
  return {
    server,
    moveIndex,
    openTrader: async (usdt) => {
      traders += 1;
      const account = await openStockAccount(server, { seed: 7000 + traders, usdt });
      const ccxt = createCcxt(server.http, account);
      await ccxt.loadMarkets();
      return { account, ccxt, binance: createBinance(server.http, account) };
    },
    close: async () => {
      const code = await server.stop();
      directory[Symbol.dispose]();
      expect(code, server.errors()).toBe(0);
    },
  };
}

/** The market's mark, once there is one, rounded down to this. */
export async function roundMark(
  { binance }: StockTrader,
  symbol: string,
  step: number,
): Promise<number> {
  for (let tries = 0; tries < 6000; tries += 1) {
    const { markPrice } = (await binance.getMarkPrice({ symbol })) as { markPrice: string };
    if (Number(markPrice) > 0) return Math.floor(Number(markPrice) / step) * step;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${symbol} got no price in ten minutes`);
}

/** An account's figures that do not move with the mark, as exact numbers. */
export type Holdings = {
  readonly wallet: bigint;
  readonly available: bigint;
  /** Collateral of positions. */
  readonly collateral: bigint;
  /** Frozen for open orders. */
  readonly freezes: bigint;
  /** Signed entry notional of all positions. */
  readonly entries: bigint;
};

/** Reads one account in every way there is and expects one answer, to the last digit. */
export async function readHoldings(trader: StockTrader): Promise<Holdings> {
  const { account, ccxt, binance } = trader;
  const [balance] = await binance.getBalance();
  const { balance: wallet, availableBalance: available } = balance as unknown as Texts;
  const v2 = (await binance.getAccountInformation()) as unknown as Texts;
  const v3 = (await binance.getAccountInformationV3()) as unknown as Texts;
  // What new orders can use moves with the mark (MAR-9), so each answer is compared with itself.
  for (const { totalWalletBalance } of [v2, v3]) expect(totalWalletBalance).toBe(wallet);
  for (const options of [{}, { useV2: true }]) {
    const { total, free, info } = await ccxt.fetchBalance(options);
    expect(info.totalWalletBalance).toBe(wallet);
    const [asset] = info.assets;
    expect(asset).toMatchObject({ asset: 'USDT', walletBalance: wallet });
    // Its figures are doubles made of these texts; its total counts what is unrealised.
    expect((total as unknown as Doubles).USDT).toBe(Number(asset.marginBalance));
    expect((free as unknown as Doubles).USDT).toBe(Number(info.availableBalance));
    expect(exact(asset.marginBalance)).toBe(exact(wallet!) + exact(asset.unrealizedProfit));
  }
  const [own] = await account.own.native.listBalances();
  expect(own).toMatchObject({ balance: wallet });
  expect(v2.totalPositionInitialMargin).toBe(v3.totalPositionInitialMargin);
  const collateral = exact(v3.totalPositionInitialMargin!);
  const freezes = exact(v3.totalOpenOrderInitialMargin!);
  const free = exact(wallet!) - collateral - freezes;
  // Losses leave less of it for new orders (MAR-9).
  expect(exact(available!)).toBeLessThanOrEqual(free);
  if (collateral === 0n) expect(exact(available!)).toBe(free);
  const entries = await readEntries(trader);
  return { wallet: exact(wallet!), available: free, collateral, freezes, entries };
}

type Texts = Readonly<Record<string, string | undefined>>;
type Doubles = Readonly<Record<string, number>>;

/** Both clients' positions, which must be the same; gives their signed entry notional. */
async function readEntries({ account, ccxt, binance }: StockTrader): Promise<bigint> {
  const rows = (await binance.getPositionsV3()) as unknown as Record<string, string>[];
  const parsed = await ccxt.fetchPositions();
  // Made of the account's answer, where this client could take collateral for isolated margin.
  const counted = await ccxt.fetchAccountPositions();
  const modes = counted.filter(({ contracts }) => contracts !== 0).map((row) => row.marginMode);
  expect(modes).toEqual(rows.map(() => 'cross'));
  const own = await account.own.native.listPositions();
  expect(own.map(({ symbol, position_amt }) => [symbol, position_amt])).toEqual(
    rows.map(({ symbol, positionAmt }) => [symbol, positionAmt]),
  );
  expect(
    parsed.map(({ info, side, contracts, entryPrice, marginMode }) => ({
      symbol: info.symbol,
      amount: side === 'short' ? -contracts! : contracts,
      entryPrice,
      marginMode,
    })),
  ).toEqual(
    rows.map(({ symbol, positionAmt, entryPrice }) => ({
      symbol,
      amount: Number(positionAmt),
      entryPrice: Number(entryPrice),
      marginMode: 'cross',
    })),
  );
  return sum(
    rows.map(({ positionAmt, entryPrice }) => times(exact(positionAmt!), exact(entryPrice!))),
  );
}

/**
 * BAL-2 between what the clients read of all accounts and what the operator reads. `fees` has the
 * fund's share too, which it gets whenever a minute ends (LIQ-8); without a liquidation the fund
 * has nothing else.
 */
export async function expectInvariants(
  { server }: StockWorld,
  traders: readonly StockTrader[],
): Promise<{ readonly holdings: readonly Holdings[]; readonly fees: bigint }> {
  const holdings: Holdings[] = [];
  for (const trader of traders) holdings.push(await readHoldings(trader));
  const { ok, failures, figures } = await server.operator.getInvariants();
  expect(failures).toEqual([]);
  expect(ok).toBe(true);
  const total = (name: keyof Holdings): bigint => sum(holdings.map((one) => one[name]));
  expect(exact(figures.balances)).toBe(total('wallet'));
  expect(exact(figures.available)).toBe(total('available'));
  expect(exact(figures.collateral)).toBe(total('collateral'));
  expect(exact(figures.freezes)).toBe(total('freezes'));
  expect(exact(figures.entries)).toBe(total('entries'));
  expect(figures.difference).toBe('0');
  const fees = exact(figures.fee_revenue) + exact(figures.insurance);
  const held = total('wallet') + fees - exact(figures.shortfall);
  expect(held - total('entries')).toBe(exact(figures.deposits));
  for (const { wallet, available, collateral, freezes } of holdings) {
    expect(available + collateral + freezes).toBe(wallet);
  }
  return { holdings, fees };
}
