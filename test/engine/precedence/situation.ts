// A state and a command that the engine accepts, and what makes each reason apply to it. A spoiler
// says by a condition of its own whether its reason applies, so that a pair that cancels out shows.

import type { Account } from '../../../src/engine/account.ts';
import { applyCommand } from '../../../src/engine/apply.ts';
import type { Command } from '../../../src/engine/command.ts';
import type { Exchange } from '../../../src/engine/exchange.ts';
import type { Market } from '../../../src/engine/market.ts';
import type { Reason } from '../../../src/engine/rejection.ts';
import { decodeSnapshot, encodeSnapshot } from '../../../src/engine/snapshot/snapshot.ts';
import { depthOfMarket } from '../../../src/engine/views/depthOfMarket.ts';
import type { Time } from '../../../src/units/units.ts';
import { play } from '../../scenarios/scenario.ts';
import { accountOf, createWorld } from '../../scenarios/world.ts';

export type Kind = Command['kind'];
export type Of<K extends Kind> = Extract<Command, { kind: K }>;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export type Situation<K extends Kind> = {
  readonly exchange: Exchange;
  readonly market: Market;
  /** The account that sends the command, or that it is about. */
  readonly account: Account;
  readonly command: Writable<Of<K>>;
  deadline: number;
};

export type Spoiler<K extends Kind> = {
  /** The reason, and after a colon which of its cases. */
  readonly name: Reason | `${Reason}: ${string}`;
  readonly spoil: (situation: Situation<K>) => void;
  /** Whether the reason applies, apart from all others. */
  readonly holds: (situation: Situation<K>) => boolean;
};

/** Pairs of spoilers, each of the first list with each of the second, and one line why. */
export type Pairs = readonly [readonly string[], readonly string[], string];

export type Precedence<K extends Kind> = {
  readonly owner: keyof typeof owners;
  /** Accepted unchanged. */
  readonly command: (parts: Omit<Situation<K>, 'command' | 'deadline'>) => Of<K>;
  /** In the order of the checks. */
  readonly spoilers: readonly Spoiler<K>[];
  /** Where the order is not that of rejection.ts: the first is checked before the second. */
  readonly deviations?: readonly Pairs[];
  /** Reasons that no command can have together. */
  readonly impossible?: readonly Pairs[];
};

const owners = { fund: '', alice: '', bob: '', carol: '', dave: '' };

/**
 * alice has a buy at 50000 of which half is filled and a referral code to which bob is bound, bob's
 * orders stand at 49000 and 51000, carol has money and a withdrawal that waits, dave an isolated
 * position.
 */
const base = `
  market BTCUSDT
  credit alice 100000
  credit bob 100000
  credit carol 100000
  credit dave 100000
  alice code ALICE
  bob bind ALICE
  index 50000
  dave mode isolated
  bob sell 0.1 @ 50500
  dave buy 0.1 @ 50500
  bob sell 1 @ 51000
  bob buy 1 @ 49000
  alice buy 0.2 @ 50000 id mine
  bob sell 0.1 @ 50000
  carol withdraw 10
  carol trigger buy 0.1 STOP_MARKET stop 60000 id waits
  carol cancelTrigger waits
  bob trigger buy 0.1 STOP_MARKET stop 60000 id waits algo
`;

const world = play(createWorld(), base);
applyCommand(
  world.exchange,
  {
    kind: 'createApiKey',
    account: accountOf(world, 'carol').id,
    apiKey: 'cd'.repeat(32),
    profile: 'a profile',
  },
  0 as Time,
);
const sections: Buffer[] = [];
encodeSnapshot(world.exchange, (section) => sections.push(Buffer.from(section)));

/** A new state each time. */
export function situationOf<K extends Kind>(precedence: Precedence<K>): Situation<K> {
  const exchange = decodeSnapshot(sections);
  const account = accountOf({ ...world, exchange }, precedence.owner);
  const parts = { exchange, account, market: exchange.markets[0]! };
  return { ...parts, command: precedence.command(parts) as Writable<Of<K>>, deadline: 0 };
}

/** Makes a map or a list say that it has so many entries. */
export function pretendSize(map: { readonly size: number }, size: number): void {
  Object.defineProperty(map, 'size', { value: size, configurable: true });
}

export function bestBid(market: Market): number {
  return depthOfMarket(market, 1).bids[0]![0];
}

export function bestAsk(market: Market): number {
  return depthOfMarket(market, 1).asks[0]![0];
}
