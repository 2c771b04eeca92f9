// Who paid what the attackers of a scenario gained, computed from events alone. Every unit of their
// gain stands in exactly one of the parts below, and checkAttackLedger compares the sum with the
// engine's own figures. docs/reliability.md defines the parts.

import type { Event, Traded } from '../../src/engine/event.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import type { Deleveraged, FundingPaid, TakenOver } from '../../src/engine/riskEvent.ts';
import type { AccountId, MarketId } from '../../src/units/units.ts';
import { holeOfGap } from './documentedBound.ts';
import {
  bookFundingShare,
  createExposure,
  type Exposure,
  noteExposure,
  noteMark,
} from './exposure.ts';

/** What the attackers gained, by who paid it; 1e-6 USDT, negative when they paid. */
export type Gains = {
  /** Trades with others, against the mark of the moment; orders of liquidations included. */
  trading: number;
  /** Moves of the mark while they held positions, all of their accounts together. */
  moves: number;
  /** The settlement price of a delivery against the mark. */
  delivery: number;
  /** Funding of the time in which they held a position. */
  carry: number;
  /** Fees of trades, less rebates: at most 0. */
  fees: number;
  /** Claims of what accrued by referral (NAT-4d). */
  referral: number;
  /** The insurance fund: takeovers against the mark, unpaid amounts, less fees of liquidations. */
  fund: number;
  /** Orders of the fund that unwinds (LIQ-6), against the mark. */
  unwinding: number;
  /** Deleveraged accounts, against the mark. */
  deleveraged: number;
  /** Profit of others that was shared for a deficit. */
  shared: number;
  shortfall: number;
  /** Funding beyond that of the time in which they held a position. */
  funding: number;
};

export const gainNames = [
  'trading',
  'moves',
  'delivery',
  'carry',
  'fees',
  'referral',
  'fund',
  'unwinding',
  'deleveraged',
  'shared',
  'shortfall',
  'funding',
] as const satisfies readonly (keyof Gains)[];

export type AttackLedger = {
  readonly attackers: Set<AccountId>;
  readonly gains: Gains;
  /** By market. */
  readonly exposures: (Exposure | undefined)[];
  /** What the attackers paid in, and what they asked to withdraw and did not get back. */
  deposits: number;
  withdrawn: number;
  /** Notional of their trades with the fund. */
  unwound: number;
  /** What the gaps so far may have cost (MAR-10). */
  holes: number;
  /** Amounts that the fund paid for attackers at the boundary in progress. */
  covered: number;
  /** Lots of attackers that the delivery in progress has settled. */
  settledLots: number;
};

export function createAttackLedger(): AttackLedger {
  const gains = Object.fromEntries(gainNames.map((name) => [name, 0])) as Gains;
  return {
    attackers: new Set(),
    gains,
    exposures: [],
    holes: 0,
    deposits: 0,
    withdrawn: 0,
    unwound: 0,
    covered: 0,
    settledLots: 0,
  };
}

/** Books the events of one step, in their order. */
export function bookEvents(ledger: AttackLedger, exchange: Exchange, events: readonly Event[]) {
  for (const event of events) bookEvent(ledger, exchange, event);
}

function bookEvent(ledger: AttackLedger, exchange: Exchange, event: Event): void {
  const { gains, attackers } = ledger;
  switch (event.kind) {
    case 'credited':
      if (attackers.has(event.account)) ledger.deposits += event.amount;
      return;
    case 'withdrawalRequested':
      if (attackers.has(event.account)) ledger.withdrawn += event.amount;
      return;
    case 'withdrawalResolved':
      if (attackers.has(event.account) && !event.completed) ledger.withdrawn -= event.amount;
      return;
    case 'priced': {
      const exposure = exposureOf(ledger, exchange, event.market);
      gains.moves += exposure.own * (event.mark - exposure.mark) * exposure.grain;
      ledger.holes += holeOfGap(exchange.markets[event.market]!.terms, exposure, event.mark);
      noteMark(exposure, event.mark);
      return;
    }
    case 'traded':
      return bookTrade(ledger, exchange, event);
    case 'takenOver':
      return bookTakeover(ledger, exchange, event);
    case 'deleveraged':
      return bookDeleveraging(ledger, exchange, event);
    case 'liquidationFeePaid':
      if (attackers.has(event.account)) gains.fund -= event.amount;
      return;
    case 'lossCovered':
      if (!attackers.has(event.account)) return;
      gains.fund += event.fund;
      gains.shared += event.shared;
      gains.shortfall += event.shortfall;
      return;
    case 'profitShared':
      if (attackers.has(event.account)) gains.shared -= event.amount;
      return;
    default:
      return bookRest(ledger, exchange, event);
  }
}

function bookRest(ledger: AttackLedger, exchange: Exchange, event: Event): void {
  const { gains, attackers } = ledger;
  switch (event.kind) {
    case 'referralClaimed':
      if (attackers.has(event.account)) gains.referral += event.amount;
      return;
    case 'fundingCovered':
      if (attackers.has(event.account)) ledger.covered += event.amount;
      return;
    case 'fundingPaid':
      return bookFunding(ledger, exchange, event);
    case 'fundingSettled': {
      const exposure = exposureOf(ledger, exchange, event.market);
      const share = bookFundingShare(exposure, exchange, event);
      gains.carry += share;
      gains.funding -= share + ledger.covered;
      gains.fund += ledger.covered;
      ledger.covered = 0;
      return;
    }
    case 'positionSettled':
      if (attackers.has(event.account)) ledger.settledLots += event.lots;
      noteExposure(exposureOf(ledger, exchange, event.market), exchange, {
        account: event.account,
        position: 0,
        isAttacker: attackers.has(event.account),
      });
      return;
    case 'marketSettled': {
      const { mark, grain } = exposureOf(ledger, exchange, event.market);
      gains.delivery += ledger.settledLots * (event.ticks - mark) * grain;
      ledger.settledLots = 0;
      return;
    }
    default:
      return;
  }
}

function bookFunding(ledger: AttackLedger, exchange: Exchange, event: FundingPaid): void {
  exposureOf(ledger, exchange, event.market);
  if (ledger.attackers.has(event.account)) ledger.gains.funding += event.amount;
}

const exposureOf = (ledger: AttackLedger, exchange: Exchange, market: MarketId): Exposure => {
  ledger.exposures[market] ??= createExposure(exchange, market);
  return ledger.exposures[market];
};

type Close = {
  readonly account: AccountId;
  readonly position: number;
  readonly fee: number;
};

/** Books a fill at a price; gives how much better than the mark it is for a buyer. */
function fill(
  ledger: AttackLedger,
  exchange: Exchange,
  { market, ticks, lots, sides }: Filled,
): number {
  const exposure = exposureOf(ledger, exchange, market);
  for (const { account, position, fee } of sides) {
    const isAttacker = ledger.attackers.has(account);
    noteExposure(exposure, exchange, { account, position, isAttacker });
    if (isAttacker) ledger.gains.fees -= fee;
  }
  return (exposure.mark - ticks) * lots * exposure.grain;
}

type Filled = {
  readonly market: MarketId;
  readonly ticks: number;
  readonly lots: number;
  readonly sides: readonly Close[];
};

function bookTrade(ledger: AttackLedger, exchange: Exchange, event: Traded): void {
  const { attackers } = ledger;
  const { taker, maker, takerSide } = event;
  const edge = takerSide * fill(ledger, exchange, { ...event, sides: [taker, maker] });
  const gain = gainOf(ledger, edge, taker.account, maker.account);
  const withFund = taker.account === insuranceAccount || maker.account === insuranceAccount;
  ledger.gains[withFund ? 'unwinding' : 'trading'] += gain;
  if (!withFund || attackers.has(taker.account) === attackers.has(maker.account)) return;
  ledger.unwound += event.ticks * event.lots * exchange.markets[event.market]!.grain;
}

/**
 * A gain of `one` is a loss of `other`: what the attackers gain, if one of the two is an attacker.
 */
function gainOf(ledger: AttackLedger, gain: number, one: AccountId, other: AccountId): number {
  const { attackers } = ledger;
  if (attackers.has(one) === attackers.has(other)) return 0;
  return attackers.has(one) ? gain : -gain;
}

function bookTakeover(ledger: AttackLedger, exchange: Exchange, event: TakenOver): void {
  const { account, fund, side } = event;
  const edge = side * fill(ledger, exchange, { ...event, sides: [account, fund] });
  ledger.gains.fund += gainOf(ledger, edge, account.account, fund.account);
}

function bookDeleveraging(ledger: AttackLedger, exchange: Exchange, event: Deleveraged): void {
  const { bankrupt, counterparty, side } = event;
  const edge = side * fill(ledger, exchange, { ...event, sides: [bankrupt, counterparty] });
  const gain = gainOf(ledger, edge, bankrupt.account, counterparty.account);
  const withFund = [bankrupt, counterparty].some(({ account }) => account === insuranceAccount);
  ledger.gains[withFund ? 'fund' : 'deleveraged'] += gain;
}
