// The crowd of a run: its members follow from the seed, and the actions of each from its random
// numbers and its answers. Some runs have many clients and deep accounts, others a few clients that
// trade with each other at the highest leverage.

import { createPrng, type Prng } from '../../../src/std/prng.ts';
import { createJudge, type Judge } from '../oracles/createJudge.ts';
import type { ClientKey, ClientWorld, Crowd, CrowdOptions, LifeView } from '../ports.ts';
import { type Act, type Actor, chance } from './actor.ts';
import { createAccountChanger, goForAll, setMode } from './createAccountChanger.ts';
import { createAccountReader, readBalance, readPosition } from './createAccountReader.ts';
import { createAttacker, type Strangers } from './createAttacker.ts';
import { createCaller } from './createCaller.ts';
import { createListeners, type Listeners } from './createListeners.ts';
import { createMaker } from './createMaker.ts';
import { createReferralUser } from './createReferralUser.ts';
import { createSessionUser } from './createSessionUser.ts';
import { createTaker } from './createTaker.ts';
import { createTradingSocket, type TradingSocket } from './createTradingSocket.ts';
import { createTriggerUser } from './createTriggerUser.ts';
import { createDiary, type Diary } from './diary.ts';
import { createPriceBoard, type PriceBoard } from './priceBoard.ts';

/** The weights with which the kinds of a run are drawn. */
const kinds = [
  ...(['maker', 'taker', 'trigger', 'change', 'read', 'attack', 'socket'] as const),
  ...(['session', 'referral'] as const),
] as const;
type Kind = (typeof kinds)[number];

type Temper = {
  readonly weights: Readonly<Record<Kind, number>>;
  readonly boldness: number;
};

/** The same in every run. */
const usual = { session: 4, referral: 3 };

const tempers: readonly Temper[] = [
  // A bit of everything.
  {
    weights: {
      ...usual,
      maker: 30,
      taker: 22,
      trigger: 12,
      change: 8,
      read: 14,
      attack: 8,
      socket: 6,
    },
    boldness: 40,
  },
  // All clients use the highest leverage.
  {
    weights: {
      ...usual,
      maker: 30,
      taker: 45,
      trigger: 8,
      change: 3,
      read: 8,
      attack: 3,
      socket: 3,
    },
    boldness: 100,
  },
  // Readers and attackers.
  {
    weights: {
      ...usual,
      maker: 25,
      taker: 12,
      trigger: 8,
      change: 12,
      read: 25,
      attack: 14,
      socket: 4,
    },
    boldness: 60,
  },
  // Mostly triggers.
  {
    weights: {
      ...usual,
      maker: 25,
      taker: 20,
      trigger: 35,
      change: 5,
      read: 8,
      attack: 4,
      socket: 3,
    },
    boldness: 80,
  },
];

/** A client that likes to use this much of its margin begins with the highest leverage. */
const boldFrom = 70;

type Member = {
  readonly actor: Actor;
  readonly acts: readonly { kind: Kind; act: Act }[];
  readonly socket: TradingSocket;
};

const refreshEveryMs = 500;
/** The per cent of turns that are skipped while every market is closed. */
const waiting = 90;

export function createCrowd(world: ClientWorld, { requestsPerSecond }: CrowdOptions): Crowd {
  const prng = createPrng(world.prng.below(2 ** 31));
  const diary = createDiary();
  const judge = createJudge(world.count);
  const temper = tempers[prng.below(tempers.length)]!;
  const reader = createCaller({
    world,
    diary,
    key: world.credentials[0]!,
    prng,
    address: '192.0.2.1',
  });
  const prices = createPriceBoard(world, reader);
  const members = world.credentials.map((key, index) =>
    createActor(
      { world, diary, prices, prng: createPrng(prng.below(2 ** 31)) },
      { key, index, temper },
    ),
  );
  const strangers = {
    apiKeys: world.credentials.map(({ apiKey }) => apiKey),
    orders: diary.orders,
  };
  const crowd = members.map((actor, index) =>
    createMember(actor, { strangers, friend: members[(index + 1) % members.length]!, index }),
  );
  const listeners = createListeners(world, { diary, prng, actors: members });
  let stopped = false;
  return {
    start: () => {
      for (const actor of members) {
        if (actor.key.token !== undefined && chance(prng, 50)) setMode(actor);
      }
      for (const actor of members) {
        readBalance(actor);
        if (actor.boldness >= boldFrom) goForAll(actor);
      }
      schedule(world, prng, { crowd, temper, prices, requestsPerSecond, isStopped: () => stopped });
      keepInformed(world, { members, prices, prng, isStopped: () => stopped });
      listeners.start();
    },
    stop: () => {
      stopped = true;
      listeners.stop();
    },
    check: (view) => {
      const found = judge.check(view, diary);
      const wrong = diary.wrong.splice(0);
      const rests = crowd.flatMap(({ socket }) => [...socket.check(view)]);
      return [...wrong, ...found, ...rests, ...checkListeners(listeners, view, judge)];
    },
  };
}

const checkListeners = (listeners: Listeners, view: LifeView, judge: Judge): readonly string[] =>
  view.when === 'end' ? listeners.check(view, judge) : [];

type Means = Pick<Actor, 'world' | 'diary' | 'prices' | 'prng'>;

function createActor(
  means: Means & { readonly diary: Diary; readonly prices: PriceBoard },
  {
    key,
    index,
    temper,
  }: { readonly key: ClientKey; readonly index: number; readonly temper: Temper },
): Actor {
  const { world, diary, prng } = means;
  const address = `192.0.2.${2 + (index % 200)}`;
  return {
    ...createCaller({ world, diary, key, prng, address }),
    ...means,
    boldness: Math.max(5, Math.min(100, temper.boldness + prng.below(40) - 20)),
    open: [],
    positions: new Map(),
    available: 1000,
    names: 0,
  };
}

/** Every member can do everything; what each does most often is drawn. */
function createMember(
  actor: Actor,
  others: { readonly strangers: Strangers; readonly friend: Actor; readonly index: number },
): Member {
  const address = `192.0.2.${2 + (others.index % 200)}`;
  const socket = createTradingSocket(actor, address);
  const acts: Record<Kind, Act> = {
    maker: createMaker(actor),
    taker: createTaker(actor),
    trigger: createTriggerUser(actor),
    change: createAccountChanger(actor),
    read: createAccountReader(actor),
    attack: createAttacker(actor, others.strangers, others.friend),
    socket: socket.act,
    session: createSessionUser(actor, address),
    referral: createReferralUser(actor),
  };
  return { actor, acts: kinds.map((kind) => ({ kind, act: acts[kind] })), socket };
}

type Schedule = {
  readonly crowd: readonly Member[];
  readonly temper: Temper;
  readonly prices: PriceBoard;
  readonly requestsPerSecond: number;
  readonly isStopped: () => boolean;
};

/** One stream of turns for all: after a drawn pause one member acts. */
function schedule(world: ClientWorld, prng: Prng, plan: Schedule): void {
  const { crowd, temper, prices, requestsPerSecond, isStopped } = plan;
  const pauseMs = 1000 / requestsPerSecond;
  const likes = crowd.map(() => kinds[prng.below(kinds.length)]!);
  const turn = (): void => {
    if (isStopped()) return;
    if (!prices.allClosed() || !chance(prng, waiting)) {
      const index = prng.below(crowd.length);
      const member = crowd[index]!;
      const kind = chance(prng, 35) ? likes[index]! : drawKind(prng, temper);
      member.acts.find((each) => each.kind === kind)!.act();
    }
    world.clock.after(1 + prng.below(Math.max(1, Math.round(pauseMs * 2))), turn);
  };
  world.clock.after(1, turn);
}

function drawKind(prng: Prng, { weights }: Temper): Kind {
  const total = kinds.reduce((sum, kind) => sum + weights[kind], 0);
  let left = prng.below(total);
  for (const kind of kinds) {
    left -= weights[kind];
    if (left < 0) return kind;
  }
  return 'read';
}

type Informed = {
  readonly members: readonly Actor[];
  readonly prices: PriceBoard;
  readonly prng: Prng;
  readonly isStopped: () => boolean;
};

/**
 * Reads marks from time to time, and what one account after the other has, because its trades
 * depend on it.
 */
function keepInformed(world: ClientWorld, { members, prices, prng, isStopped }: Informed): void {
  let next = 0;
  const look = (): void => {
    if (isStopped()) return;
    prices.refresh();
    const actor = members[next % members.length]!;
    next += 1;
    readBalance(actor);
    const market = world.markets[prng.below(world.markets.length)];
    if (market !== undefined) readPosition(actor, market);
    world.clock.after(refreshEveryMs, look);
  };
  look();
}
