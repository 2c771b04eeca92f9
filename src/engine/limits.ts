// Every bound of the engine's state and of a single command, by name. At a bound the exchange
// refuses; it never grows beyond it.

import type { NativeInterval } from '../units/interval.ts';
import type { Lots, Money, Rate, Ticks } from '../units/units.ts';

/** Open orders of one account on one market (ORD-9). */
export const openOrdersPerMarketMax = 200;
/** Brackets of one market (MAR-10). */
export const bracketsMax = 16;
/** Items of one batch of placements or modifications (ORD-8). */
export const batchPlaceMax = 5;
/** Items of one batch of cancellations (ORD-8). */
export const batchCancelMax = 10;
/** API keys of one account. */
export const apiKeysPerAccountMax = 30;
/** Idempotency keys of one account in memory (ID-3); at the bound the oldest is dropped. */
export const idempotencyKeysMax = 1000;
/** Waiting triggers of one account, over all markets (ORD-9). */
export const triggersPerAccountMax = 200;
/** Triggers of the deployment, waiting or with a live order. */
export const triggersMax = 2_000_000;
/** The part of these that only reducing triggers may use (TRG-7). */
export const triggersReducingReserve = 500_000;
/** Triggers that one index tick fires at most, over all markets (TRG-6). */
export const firedPerTickMax = 1000;
/** Units of work (ORD-14) after which an index tick fires no further trigger (TRG-6). */
export const triggerWorkPerTickMax = 10_000;
/** The share of an account in a round of due triggers, in units of work (TRG-6). */
export const triggerRoundWork = 100;
/** The most rounds by which a due trigger stands back because of its cost (TRG-6). */
export const triggerRoundsBackMax = 10;
/** Of these, triggers that were tried before (TRG-8), and units of work for them. */
export const triedPerTickMax = 250;
export const triedWorkPerTickMax = 2500;
/** Units of work after which a batch runs no further timer that is due (ORD-15). */
export const timerWorkPerBatchMax = 10_000;
/**
 * Units of work in which triggers of settled markets end, at a delivery and in a batch (SYM-2b).
 */
export const expiryWorkMax = 10_000;
/** The minimum time until a good-till-date, milliseconds (TRG-5). */
export const goodTillMsMin = 600_000;
/** The maximum time until a good-till-date: 90 days, milliseconds. */
export const goodTillMsMax = 7_776_000_000;
/** The equity that each waiting trigger of an account needs (TRG-7), and each idle countdown. */
export const equityPerWaiting = 10_000_000 as Money;
/** Waiting triggers of an account that only reduce and need no equity (TRG-7). */
export const reducingTriggersFree = 20;
/** The callback of a trailing trigger (TRG-4): from 0.1 % to 10 %. */
export const callbackRateMin = 100_000 as Rate;
export const callbackRateMax = 10_000_000 as Rate;
/** Withdrawals of one account that wait for the chain, so that no account takes all places. */
export const withdrawalsPerAccountMax = 200;
/** Withdrawals that wait for the chain. */
export const withdrawalsMax = 100_000;
/** The bound of the least withdrawal that the operator may set (VLT-5): 100 USDT. */
export const withdrawalMinMax = 100_000_000 as Money;
/** Wallets whose parked money is kept apart (VLT-3). */
export const parkedWalletsMax = 2_000_000;
/** Of these, wallets whose money is tried again in one minute. */
export const parkedTriesPerMinute = 1000;
/** The highest discount of a referee, and the highest share of a referrer (NAT-4). */
export const referralRateMax = 50_000_000 as Rate;
/** Referrers one above the other that a binding looks through for a circle (NAT-4a). */
export const referralChainMax = 1000;
/** Steps of the fee table (MAR-6). */
export const feeTiersMax = 32;
export const accountsMax = 2_000_000;
/** Accounts that were never credited (AUTH-5a). Cost: about 1 kB each. */
export const unfundedAccountsMax = 200_000;
/** Of these, accounts with API keys. */
export const unfundedWithKeysMax = 50_000;
/** Numbers that such accounts use, including the resting numbers of forgotten ones. */
export const unfundedNumbersMax = 300_000;
/**
 * How long an account that nothing keeps is remembered after a login: as long as the token, which
 * is valid for a day, and a minute by which the token may be later than the login.
 */
export const guestLifeMs = 86_460_000;
/** Guests that one batch forgets because their time is over. */
export const guestsForgottenPerBatchMax = 200;
/** How long a forgotten account's number rests: longer than a command may be on its way. */
export const numberRestMs = 60_000;
/**
 * How long a session lasts, milliseconds: its token is valid for a day, and may be made a minute
 * later.
 */
export const sessionMs = 86_460_000;
/** Sessions of one account, and of one that was never credited; a further login ends the oldest. */
export const sessionsPerAccountMax = 20;
export const sessionsPerGuestMax = 3;
/** Characters of what a client calls itself that a session keeps. */
export const sessionAgentMax = 80;
export const ordersMax = 2_000_000;
export const marketsMax = 512;
/** Sources of one market's index. */
export const indexSourcesMax = 16;
/** Login nonces remembered until they expire (AUTH-5). */
export const loginNoncesMax = 100_000;
/** References of credits remembered for ever (OPS-1). */
export const creditReferencesMax = 2_000_000;
/** A countdown's longest wait (ORD-13), milliseconds. */
export const countdownMsMax = 86_400_000;
/** Countdowns that wait. */
export const countdownsMax = 200_000;
/** The part of these for accounts with nothing to cancel (ORD-13b). */
export const countdownsIdleMax = 100_000;
/** Armed connections of one account (COD-3). */
export const armedPerAccountMax = 8;
/** Armed connections of the deployment. */
export const armedConnectionsMax = 100_000;
/** The part of these for connections that need equity (COD-3). */
export const armedWithEquityMax = 50_000;
/** Markets that an armed connection may name. */
export const armedMarketsMax = 32;
/** Connections that one command ends, when it names them. */
export const connectionsPerCommandMax = 1000;
/**
 * Units of work in which orders of ended connections end, in a command and in a batch (COD-5).
 */
export const disconnectWorkMax = 10_000;
/** Good-till-dates that wait. */
export const goodTillTimersMax = 200_000;
/** Ended orders that the view in market-data remembers. */
export const endedOrdersMax = 100_000;
/** Rows of each other view in market-data: triggers, liquidations, deleveragings, withdrawals. */
export const viewRowsMax = 100_000;

/**
 * Candles of a market in which something happened, for trades, mark, index and premium each: 1,500
 * of every interval, including those that another interval serves (NAT-2a). Cost: 240 bytes for a
 * bucket of all four; together with the bounds below at most 9 MB a market.
 */
export const candlesMax: Readonly<Record<NativeInterval, number>> = {
  '1m': 1500,
  '5m': 1500,
  '15m': 3000,
  '1h': 3000,
  '4h': 4500,
  '1d': 4500,
  '1w': 1500,
  '1M': 1500,
};
/** Entries of a market's trades of the last 24 hours (NAT-2c). */
export const dayEntriesMax = 50_000;
/** Last trades of a market, and last aggregates of trades (NAT-2d). */
export const recentTradesMax = 1000;
/** Buckets of a market's open interest and taker volumes, of each period (NAT-2e). */
export const periodBucketsMax = 500;

/** The highest price of any order; it keeps the notional of one lot safe on every market. */
export const ticksMax = 1_000_000_000 as Ticks;
/** The largest quantity of any order. */
export const lotsMax = 1_000_000_000_000 as Lots;
/** The largest notional of any order, whatever bounds its market sets; it keeps sums safe. */
export const notionalMax = 1_000_000_000_000_000 as Money;
/** The maximum of any balance and any fund (9 billion USDT): the largest safe integer. */
export const moneyMax = Number.MAX_SAFE_INTEGER as Money;
/**
 * Deposits less completed withdrawals: the maximum that the exchange may owe in total (BAL-2a),
 * half of the largest safe integer. The other half is for gains whose losses are not realised yet.
 */
export const owedMax = 4_500_000_000_000_000 as Money;
/** How long a command may wait for its place in the log, milliseconds. */
export const deadlineMs = 5000;
