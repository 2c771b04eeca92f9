// Clients of a deployment: accounts that trade, move money and change keys at any of its processes,
// remember every answer, and compare all of them with what the exchange says later.

import { setTimeout as sleep } from 'node:timers/promises';
import { createPrng, type Prng, seedOf } from '../src/std/prng.ts';
import {
  acknowledgedBy,
  createRecoveryTrader,
  type Reached,
  type RecoveryTrader,
} from '../test/recovery/recoveryTrader.ts';
import type { Deployment } from './openDeployment.ts';
import { fetchWithin, type Member, until } from './openMember.ts';

export type Load = {
  /** Requests go to any process, whether it serves or not. */
  readonly begin: () => void;
  /** No new request; resolves when those under way have ended. Rejects with what was untrue. */
  readonly end: () => Promise<void>;
  /** The same without waiting, after a violation. */
  readonly leave: () => void;
  /** Every account compares its answers with what the processes that serve say now. */
  readonly audit: () => Promise<void>;
  /** Throws what was untrue, as soon as a client has noticed it. */
  readonly check: () => void;
  readonly acknowledged: () => number;
  /** The longest time without an acknowledgement since `begin`, so far, in milliseconds. */
  readonly pauseMs: () => number;
};

export type OpenLoad = {
  readonly deployment: Deployment;
  readonly seed: number;
  /** Accounts of one load have names of their own. */
  readonly generation: number;
};

const traders = 3;
const requestsAtOnce = 2;
const setPricesEveryMs = 400;
/** Most requests give up soon, so that some come to processes that do not stand still. */
const [hastyMs, patientMs, auditMs] = [1500, 8000, 60_000];
/** After a request that no process served. */
const restMs = 10;
const enteringMs = 120_000;
/** Reads of what was acknowledged, at another process, among a hundred requests. */
const looksOfHundred = 25;

/** Its accounts have logged in and have money. */
export async function openLoad({ deployment, seed, generation }: OpenLoad): Promise<Load> {
  const prng = createPrng(seedOf(seed, `load ${generation}`));
  const { members } = deployment;
  const accounts = Array.from({ length: traders }, (_, index) =>
    createRecoveryTrader(generation * traders + index, createPrng(prng.below(2 ** 30))),
  );
  const connect = (among: readonly Member[], mayGiveUp = false): void => {
    for (const account of accounts) account.connect(anyOf(among, prng, mayGiveUp));
  };
  await setPrices(await deployment.serving());
  await enter(deployment, accounts, connect);
  let isOver = true;
  let working: Promise<unknown> = Promise.resolve();
  let lastAt = 0;
  let known = 0;
  let longest = 0;
  let failure: Error | undefined;
  const work = async (account: RecoveryTrader): Promise<void> => {
    while (!isOver) {
      if (prng.below(100) < looksOfHundred) await account.look();
      else await account.act();
      const now = acknowledgedBy(accounts);
      if (now === known) {
        await sleep(restMs);
        continue;
      }
      known = now;
      const at = performance.now();
      longest = Math.max(longest, at - lastAt);
      lastAt = at;
    }
  };
  const keepPrices = async (member: Member): Promise<void> => {
    while (!isOver) {
      await setPrices([member]);
      await sleep(setPricesEveryMs);
    }
  };
  return {
    begin: () => {
      isOver = false;
      longest = 0;
      lastAt = performance.now();
      connect(members, true);
      const busy = accounts.flatMap((account) =>
        Array.from({ length: requestsAtOnce }, () => work(account)),
      );
      working = Promise.all([...busy, ...members.map(keepPrices)]);
      working.catch((error: Error) => {
        failure ??= error;
      });
    },
    end: async () => {
      isOver = true;
      await working;
    },
    leave: () => {
      isOver = true;
    },
    audit: async () => {
      const serving = await deployment.serving();
      connect(serving);
      await untilNothingWaits(members);
      await untilHistoryFollows(serving);
      for (const account of accounts) await account.check();
      for (const { name, operator } of serving) {
        const { ok, failures } = await operator.getInvariants();
        if (!ok) throw new Error(`invariants at ${name}: ${failures.join('; ')}`);
      }
    },
    check: () => {
      if (failure !== undefined) throw failure;
    },
    acknowledged: () => acknowledgedBy(accounts),
    pauseMs: () => Math.max(longest, isOver ? 0 : performance.now() - lastAt),
  };
}

/** One of them, drawn anew for each request. */
function anyOf(members: readonly Member[], prng: Prng, mayGiveUp: boolean): Reached {
  const draw = (): Member => members[prng.below(members.length)]!;
  return {
    get http() {
      return draw().http;
    },
    get operatorUrl() {
      return draw().operatorUrl;
    },
    get operator() {
      return draw().operator;
    },
    fetch: (input, init) => {
      const hasty = prng.below(6) === 0 ? patientMs : hastyMs;
      return fetchWithin(mayGiveUp ? hasty : auditMs, input, init);
    },
  };
}

/** An account whose login was not answered begins anew. */
async function enter(
  deployment: Deployment,
  accounts: readonly RecoveryTrader[],
  connect: (among: readonly Member[]) => void,
): Promise<void> {
  const deadline = performance.now() + enteringMs;
  for (const account of accounts) {
    for (;;) {
      connect(await deployment.serving());
      try {
        await account.login();
        break;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(100);
      }
    }
  }
}

/** A process that does not serve refuses them. */
async function setPrices(members: readonly Member[]): Promise<void> {
  const prices = { BTCUSDT: '100000', ETHUSDT: '4000' };
  const set = members.flatMap(({ operator }) =>
    Object.entries(prices).map(([symbol, price]) => operator.setIndexPrice({ symbol, price })),
  );
  await Promise.allSettled(set);
}

const lateMs = 60_000;

/**
 * A process may still execute what its client has given up. Each process counts what it has not
 * passed on, or of which it does not know the outcome.
 */
async function untilNothingWaits(members: readonly Member[]): Promise<void> {
  for (const { http } of members) {
    const waits = async (): Promise<boolean> => {
      const waiting = await readMetric(http, 'commands_waiting');
      return waiting !== undefined && waiting !== '0';
    };
    await until(async () => !(await waits()), { withinMs: lateMs, or: 'requests still wait' });
  }
}

const historyMs = 120_000;

/** A process that has taken over writes what is missing in its history. */
async function untilHistoryFollows(serving: readonly Member[]): Promise<void> {
  const deadline = performance.now() + historyMs;
  for (const { name, http } of serving) {
    for (;;) {
      const status = await readMetric(http, 'history_status');
      if (status === undefined || status === '0') break;
      if (performance.now() > deadline) throw new Error(`history at ${name} does not follow`);
      await sleep(metricEveryMs);
    }
  }
}

/** An address may ask for the text of the metrics ten times a second (CON-3). */
const metricEveryMs = 200;

/** undefined: the process has no such metric, or does not answer. */
async function readMetric(http: string, name: string): Promise<string | undefined> {
  const answer = await fetchWithin(auditMs, `${http}/metrics`).catch(() => undefined);
  const text = await answer?.text();
  return text && new RegExp(`^evermark_${name} (\\d+)$`, 'm').exec(text)?.[1];
}
