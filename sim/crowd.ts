// The crowd: many small accounts with too much leverage. The character of each follows from the
// seed. Its actions follow from its character, the chart and the state of the exchange, and from
// nothing else. So a day can be interrupted anywhere and continue in the same way.

import { leverageAt } from '../src/api/leverageAt.ts';
import { balanceOf } from '../src/engine/account.ts';
import type { Command } from '../src/engine/command.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import type { Side } from '../src/engine/orderTypes.ts';
import type { Position } from '../src/engine/position.ts';
import { createPrng, type Prng } from '../src/std/prng.ts';
import { type AccountId, type Money, type Ticks, usdt } from '../src/units/units.ts';
import { closingAt, placing } from './agentCommands.ts';
import { firstCrowdId } from './cast.ts';
import { market } from './simMarket.ts';

/** Shares are in thousandths. */
export type CrowdMember = {
  readonly account: AccountId;
  readonly balance: Money;
  readonly leverage: number;
  readonly side: Side;
  /** The part of its available money that the first position may use as margin. */
  readonly share: number;
  /** How far from the price its first order waits; 0: a MARKET order. */
  readonly patience: number;
  /** Distances from the entry price; 0: none. */
  readonly stop: number;
  readonly profit: number;
  /** The part of its balance at whose loss it closes by hand; 0: it never does. */
  readonly nerve: number;
};

type Deed = { readonly member: CrowdMember; readonly deed: 'open' | 'protect' | 'add' };

export type Crowd = {
  readonly seed: number;
  readonly members: readonly CrowdMember[];
  /** By second of the day. */
  readonly plan: ReadonlyMap<number, readonly Deed[]>;
  /** Members with a nerve, by the second of the minute in which they check their loss. */
  readonly nervous: readonly (readonly CrowdMember[])[];
};

/** In thousandths of the day's seconds: when positions open, and when some members add to them. */
const openPart = 300;
const addPart = 950;
const protectDelay = 2;

/** Leverages, with the weights with which people choose them. */
const leverages: readonly (readonly [leverage: number, weight: number])[] = [
  [2, 8],
  [3, 12],
  [5, 22],
  [8, 8],
  [10, 22],
  [15, 8],
  [20, 10],
  [25, 10],
];
/** Balances in USDT: decades with weights; a large account takes less leverage. */
const decades: readonly (readonly [from: number, to: number, weight: number, leverage: number])[] =
  [
    [100, 1000, 45, 25],
    [1000, 10_000, 40, 20],
    [10_000, 50_000, 15, 10],
  ];

export function createCrowd(seed: number, size: number, seconds: number): Crowd {
  const members: CrowdMember[] = [];
  const plan = new Map<number, Deed[]>();
  const note = (second: number, deed: Deed): void => {
    const deeds = plan.get(second) ?? [];
    deeds.push(deed);
    plan.set(second, deeds);
  };
  const openUntil = Math.max(1, Math.floor((seconds * openPart) / 1000));
  const addUntil = Math.max(1, Math.floor((seconds * addPart) / 1000) - openUntil);
  for (let i = 0; i < size; i += 1) {
    const prng = prngOf(seed, i);
    const member = createMember((firstCrowdId + i) as AccountId, prng);
    members.push(member);
    const opens = 1 + prng.below(openUntil);
    note(opens, { member, deed: 'open' });
    note(opens + protectDelay, { member, deed: 'protect' });
    if (prng.below(100) < 25) note(openUntil + prng.below(addUntil), { member, deed: 'add' });
  }
  const nervous: CrowdMember[][] = Array.from({ length: 60 }, () => []);
  for (const member of members) {
    if (member.nerve > 0) nervous[member.account % 60]!.push(member);
  }
  return { seed, members, plan, nervous };
}

/** A separate generator for every account and for every second. */
const prngOf = (seed: number, stream: number): Prng =>
  createPrng(Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));

function createMember(account: AccountId, prng: Prng): CrowdMember {
  const [from, to, , leverageMax] = drawn(prng, decades, ([, , weight]) => weight);
  const [leverage] = drawn(prng, leverages, ([, weight]) => weight);
  return {
    account,
    balance: ((from + prng.below(to - from + 1)) * usdt) as Money,
    leverage: Math.min(leverage, leverageMax),
    side: prng.below(100) < 78 ? 1 : -1,
    share: 200 + prng.below(700),
    patience: prng.below(100) < 30 ? 1 + prng.below(5) : 0,
    stop: prng.below(100) < 25 ? 20 + prng.below(180) : 0,
    profit: prng.below(100) < 20 ? 30 + prng.below(150) : 0,
    nerve: prng.below(100) < 10 ? 200 + prng.below(500) : 0,
  };
}

function drawn<T>(prng: Prng, from: readonly T[], weightOf: (one: T) => number): T {
  const total = from.reduce((sum, one) => sum + weightOf(one), 0);
  let left = prng.below(total);
  for (const one of from) {
    left -= weightOf(one);
    if (left < 0) return one;
  }
  return from.at(-1)!;
}

/** The commands of the crowd in a second, with the index at `ticks`. */
export function crowdCommands(
  crowd: Crowd,
  exchange: Exchange,
  second: number,
  ticks: Ticks,
): Command[] {
  const commands: Command[] = [];
  for (const { member, deed } of crowd.plan.get(second) ?? []) {
    if (deed === 'open') commands.push(...openPosition(exchange, member, ticks, member.share));
    else if (deed === 'add') commands.push(...addToPosition(exchange, member, ticks));
    else commands.push(...protect(exchange, member));
  }
  for (const member of crowd.nervous[second % 60]!) commands.push(...closeInFear(exchange, member));
  commands.push(...dayTrade(crowd, exchange, second, ticks));
  return commands;
}

const positionOf = (exchange: Exchange, { account }: CrowdMember): Position | undefined =>
  exchange.accounts[account]!.positions[market];

/**
 * Where the brackets allow less leverage than the member wants, it takes the highest that they do.
 */
function openPosition(
  exchange: Exchange,
  member: CrowdMember,
  ticks: Ticks,
  share: number,
): Command[] {
  const { available } = exchange.accounts[member.account]!;
  const { grain } = exchange.markets[market]!;
  const { account, side, patience } = member;
  const margin = (available / 1000) * share;
  const leverage = leverageFor(exchange, member, { margin, ticks });
  const lots = Math.floor((margin * leverage) / (ticks * grain));
  if (lots < 1) return [];
  const limit = patience === 0 ? 0 : Math.floor((ticks * (1000 - side * patience)) / 1000);
  const order = placing({ account, side, lots, ticks: limit });
  const standing = positionOf(exchange, member)?.leverage;
  if (standing === leverage) return [order];
  return [{ kind: 'setLeverage', account, market, leverage }, order];
}

/** The highest leverage, up to the member's own, at which its margin opens within one bracket. */
function leverageFor(
  exchange: Exchange,
  { side, leverage }: CrowdMember,
  { margin, ticks }: { readonly margin: number; readonly ticks: Ticks },
): number {
  const { terms, figures, grain } = exchange.markets[market]!;
  const { brackets } = terms;
  if (brackets.length === 1) return leverage;
  const interest = (side > 0 ? figures.longLots : figures.shortLots) * ticks * grain;
  for (const { upTo, rate } of brackets) {
    const allowed = Math.min(leverage, leverageAt(rate));
    if (interest + margin * allowed * 1.01 <= upTo) return allowed;
  }
  return Math.min(leverage, leverageAt(brackets.at(-1)!.rate));
}

/** Averaging: a member with a position adds some of its remaining money to it. */
function addToPosition(exchange: Exchange, member: CrowdMember, ticks: Ticks): Command[] {
  const lots = positionOf(exchange, member)?.lots ?? 0;
  if (lots * member.side <= 0) return [];
  return openPosition(exchange, { ...member, patience: 0 }, ticks, member.share / 2);
}

function protect(exchange: Exchange, { account, stop, profit, ...member }: CrowdMember): Command[] {
  const position = exchange.accounts[account]!.positions[market];
  if (position === undefined || position.lots * member.side <= 0) return [];
  const { grain } = exchange.markets[market]!;
  const entry = position.entry / (position.lots * grain);
  const side = -member.side as Side;
  const at = (thousandths: number): number => Math.floor((entry * thousandths) / 1000);
  const commands: Command[] = [];
  if (stop > 0) {
    commands.push(closingAt(account, side, 'STOP_MARKET', at(1000 - member.side * stop)));
  }
  if (profit > 0) {
    const ticks = at(1000 + member.side * profit);
    commands.push(closingAt(account, side, 'TAKE_PROFIT_MARKET', ticks));
  }
  return commands;
}

function closeInFear(exchange: Exchange, member: CrowdMember): Command[] {
  const position = positionOf(exchange, member);
  if (position === undefined || position.lots === 0) return [];
  const { grain, prices } = exchange.markets[market]!;
  const unrealized = position.lots * prices.mark * grain - position.entry;
  const balance = balanceOf(exchange.accounts[member.account]!);
  return -unrealized * 1000 > balance * member.nerve ? [closeAll(position)] : [];
}

function closeAll(position: Position): Command {
  const { account, lots } = position;
  const side = (lots > 0 ? -1 : 1) as Side;
  return placing({ account, side, lots: Math.abs(lots), ticks: 0, reduceOnly: true });
}

/** Once in four seconds a member acts: it closes, or opens again. */
function dayTrade(crowd: Crowd, exchange: Exchange, second: number, ticks: Ticks): Command[] {
  const prng = prngOf(crowd.seed ^ 0x2545f491, second);
  const member = crowd.members[prng.below(crowd.members.length)]!;
  const throwOf = prng.below(1000);
  const position = positionOf(exchange, member);
  if (position === undefined || throwOf >= 250) return [];
  if (position.lots !== 0) return throwOf < 25 ? [closeAll(position)] : [];
  if (position.orderCount > 0) return [];
  return openPosition(exchange, { ...member, patience: 0 }, ticks, member.share / 2);
}
