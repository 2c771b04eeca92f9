// Cancel on disconnect over two processes (COD-6). Goal: whatever happens to the link, nothing
// stays armed without a connection, and no client believes to be armed when it is not. Method: the
// real parts of both processes, over a link that the test cuts.

import { expect, onTestFinished, test } from 'vitest';
import type { Command } from '../../src/engine/command.ts';
import { createDisconnects, type GatewayDisconnects } from '../../src/gateway/createDisconnects.ts';
import { createRateLimits } from '../../src/gateway/rateLimits.ts';
import { connectionNumbersOf, rangeOfConnection } from '../../src/link/connectionNumbers.ts';
import type { RunningReplica } from '../../src/replica/replica.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { DisconnectSwitch } from '../../src/streams/disconnectSwitch.ts';
import type { AccountId, Money, OrderId, Time } from '../../src/units/units.ts';
import {
  holderProcess,
  type LinkedReplicas,
  openLinkedReplicas,
  process,
} from './linkedReplicas.ts';

/** What a planted mistake changes. */
type Mistake = 'goesOnWhenLost' | 'forgetsFates';

type Client = {
  readonly account: AccountId;
  readonly own: DisconnectSwitch;
  /** The last answer that it got; undefined: it waits for an answer. */
  told: string | undefined;
  closed: boolean;
};

type Place = { readonly name: string; readonly disconnects: GatewayDisconnects };

type Stage = LinkedReplicas & {
  readonly places: readonly Place[];
  /** How many connections of the account are armed, of these two processes. */
  readonly armed: (account: number) => number;
};

/** The log has armed connections of earlier processes, too. */
async function open(mistake?: Mistake): Promise<Stage> {
  const linked = await openLinkedReplicas();
  onTestFinished(linked.close);
  const { follower, holder, clock, holderState } = linked;
  const placeOf = (name: string, replica: RunningReplica): Place => {
    const numbers = connectionNumbersOf(name);
    const submit: RunningReplica['submit'] = (command, lane, { refuse, ...waiter }) => {
      const isHeard = refuse !== undefined && mistake !== 'forgetsFates';
      return replica.submit(command, lane, { ...waiter, ...(isHeard && { refuse }) });
    };
    const disconnects = createDisconnects({
      ...{ limits: createRateLimits(), clock, numbers },
      replica: { ...replica, submit },
    });
    const onEvents: GatewayDisconnects['onEvents'] = (events) => {
      const lost = events.filter(({ kind }) => kind === 'connectionEnded');
      if (mistake !== 'goesOnWhenLost' || lost.length === 0) disconnects.onEvents(events);
    };
    replica.listen({ onEvents, onApplied: () => {} });
    return { name, disconnects };
  };
  const places = [placeOf(process, follower), placeOf(holderProcess, holder)];
  const ranges = new Set(
    [process, holderProcess].map((name) => rangeOfConnection(connectionNumbersOf(name).first)),
  );
  const armed = (account: number): number =>
    [...holderState.exchange.connections.armed.values()].filter(
      (each) => each.account === account && ranges.has(rangeOfConnection(each.id)),
    ).length;
  const pass: Stage['pass'] = (milliseconds, stepMs = 200) => {
    for (let left = milliseconds; left > 0; left -= stepMs) {
      // The holder looks for lost connections where the others tick.
      linked.pass(Math.min(left, stepMs), stepMs);
      for (const { disconnects } of places) disconnects.tick();
    }
  };
  return { ...linked, places, armed, pass };
}

function connect({ disconnects }: Place, account: number): Client {
  const client: Client = {
    account: account as AccountId,
    own: disconnects.open(() => {
      client.closed = true;
      client.own.end();
    }),
    ...{ told: 'nothing', closed: false },
  };
  return client;
}

function arm(client: Client): void {
  client.told = undefined;
  const { account } = client;
  const arming = { account, markets: [], isAllowed: () => true, onEnd: () => {} };
  client.own.arm(arming, (failure) => {
    client.told = failure?.reason ?? 'armed';
  });
}

function disarm(client: Client): void {
  client.told = undefined;
  client.own.disarm(client.account, (failure) => {
    client.told = failure?.reason ?? 'disarmed';
  });
}

/** An account with money. */
const account = 4;

test('COD-6 a connection is armed at a process that follows, and disarmed, and its end ends the orders', async () => {
  const { places, armed, turn, followerState } = await open();
  const client = connect(places[0]!, account);
  arm(client);
  expect(client.told).toBeUndefined();
  await turn();
  expect([client.told, armed(account)]).toEqual(['armed', 1]);
  disarm(client);
  await turn();
  expect([client.told, armed(account)]).toEqual(['disarmed', 0]);
  arm(client);
  await turn();
  expect(armed(account)).toBe(1);
  client.own.end();
  await turn();
  expect([armed(account), client.closed]).toEqual([0, false]);
  expect(followerState.exchange.connections.queue).toEqual([]);
});

test('COD-6 a link that is away for less than five seconds ends nothing', async () => {
  const { places, armed, turn, pass, wire } = await open();
  const client = connect(places[0]!, account);
  arm(client);
  await turn();
  for (let round = 0; round < 4; round += 1) {
    wire.cut();
    pass(4800);
    await turn();
    wire.mend();
    await turn();
    pass(400);
  }
  expect([armed(account), client.closed]).toEqual([1, false]);
});

test('COD-6 a process without a link for five seconds has lost its connections, and closes them when it is back', async () => {
  const { places, armed, turn, look, pass, wire } = await open();
  const [here, there] = [connect(places[0]!, account), connect(places[1]!, account)];
  for (const client of [here, there]) arm(client);
  await turn();
  expect(armed(account)).toBe(2);
  wire.cut();
  pass(6200);
  await turn();
  expect([armed(account), here.closed, there.closed]).toEqual([1, false, false]);
  // It was armed for other symbols meanwhile: that does not bring it back.
  arm(here);
  wire.mend();
  await look();
  expect(here.closed).toBe(true);
  await turn();
  await turn();
  expect([armed(account), there.closed]).toEqual([1, false]);
  // The client comes back with another connection.
  const again = connect(places[0]!, account);
  arm(again);
  await turn();
  expect([again.told, armed(account)]).toEqual(['armed', 2]);
});

test('COD-6 time in which the process that writes stood still counts as a second', async () => {
  const { places, armed, turn, pass, wire } = await open();
  const client = connect(places[0]!, account);
  arm(client);
  await turn();
  wire.cut();
  pass(60_000, 60_000);
  await turn();
  expect(armed(account)).toBe(1);
  wire.mend();
  await turn();
  pass(10_000);
  await turn();
  expect([armed(account), client.closed]).toEqual([1, false]);
});

test('COD-6 connections of processes that no one has heard of end after five seconds', async () => {
  const { places, turn, pass, holder, holderState, armed } = await open();
  const stranger = connectionNumbersOf('gone').first;
  const command = { account: account as AccountId, connection: stranger, markets: [] };
  holder.submit({ kind: 'armConnection', ...command }, 'reserve', {
    ...{ capture: () => {}, release: () => {} },
  });
  const client = connect(places[0]!, account);
  arm(client);
  await turn();
  const isArmed = (): boolean => holderState.exchange.connections.armed.has(stranger);
  pass(4800);
  await turn();
  expect(isArmed()).toBe(true);
  pass(1400);
  await turn();
  expect([isArmed(), armed(account)]).toEqual([false, 1]);
});

test('COD-7 a request to arm whose fate is unknown says so, and the connection ends like an armed one', async () => {
  const { places, armed, turn, look, pass, wire } = await open();
  const client = connect(places[0]!, account);
  wire.lose('toFollower', 'batch');
  arm(client);
  await turn();
  wire.cut();
  pass(4900);
  expect(client.told).toBeUndefined();
  pass(400);
  expect(client.told).toBe('fateUnknown');
  expect(armed(account)).toBe(1);
  client.own.end();
  wire.lose('toFollower', undefined);
  wire.mend();
  await look();
  await turn();
  expect(armed(account)).toBe(0);
});

test('COD-7 without a link for five seconds a request to arm is refused, and arms nothing later', async () => {
  const { places, armed, turn, look, pass, wire } = await open();
  const client = connect(places[0]!, account);
  wire.cut();
  arm(client);
  pass(5200);
  expect(client.told).toBe('waiting');
  expect(client.own.isArmed()).toBe(false);
  wire.mend();
  await look();
  await turn();
  expect(armed(account)).toBe(0);
});

test('COD-4 an end without a link is reported when the link is back', async () => {
  const { places, armed, turn, look, pass, wire } = await open();
  const client = connect(places[0]!, account);
  arm(client);
  await turn();
  wire.cut();
  client.own.end();
  pass(3000);
  wire.mend();
  await look();
  await turn();
  expect(armed(account)).toBe(0);
});

const own = connectionNumbersOf('foreign').first;
const ofAnother = connectionNumbersOf(process).first;
const accountNamed = { account: account as AccountId };
const forged: readonly (readonly [name: string, command: Command, why: string])[] = [
  [
    'arms the connection of another one',
    { kind: 'armConnection', ...accountNamed, connection: ofAnother, markets: [] },
    `connection ${ofAnother} is not one of the process that names it`,
  ],
  [
    'disarms the connection of another one',
    { kind: 'disarmConnection', ...accountNamed, connection: ofAnother },
    `connection ${ofAnother} is not one of the process that names it`,
  ],
  [
    'ends the connection of another one',
    { kind: 'endConnections', connections: [own, ofAnother] },
    `connection ${ofAnother} is not one of the process that names it`,
  ],
  [
    'ends all connections',
    { kind: 'endConnections', connections: undefined },
    'a process that follows cannot end all connections',
  ],
  ['states prices', { kind: 'indexTick', prices: [] }, 'a process that follows sent prices'],
  [
    'states a deposit of the chain',
    {
      kind: 'creditDeposit',
      index: 1,
      address: `0x${'1'.repeat(40)}`,
      units: 1 as Money,
      hash: `0x${'0'.repeat(64)}`,
    },
    'a process that follows sent facts of the chain',
  ],
  [
    'states that the chain has paid',
    {
      kind: 'reportWithdrawal',
      id: 1 as OrderId,
      createdAt: 1 as Time,
      fact: 'paid',
      blockTime: 1,
    },
    'a process that follows sent facts of the chain',
  ],
];

test.each(forged)('COD-6 a process that %s is left, and nothing happens', async (...given) => {
  const [, command, why] = given;
  const { places, armed, turn, wire, holder, recordOf } = await open();
  const client = connect(places[0]!, account);
  arm(client);
  await turn();
  const foreign = wire.join('foreign');
  foreign.send({ kind: 'follow', place: holder.head() });
  foreign.send({
    kind: 'requests',
    requests: [{ number: 1, ageMs: 0, record: recordOf(command) }],
  });
  await turn();
  expect(foreign.ends).toEqual([why]);
  expect(armed(account)).toBe(1);
});

/** A client acts for each of these accounts, half of them at each process. */
const actors = [2, 4, 6, 8];

/** Gives what is wrong in the end. */
async function live(seed: number, mistake?: Mistake): Promise<string[]> {
  const stage = await open(mistake);
  const { places, armed, turn, look, pass, wire } = stage;
  const prng = createPrng(seed);
  const placeFor = (index: number): Place => places[index % 2]!;
  const clients = actors.map((actor, index) => connect(placeFor(index), actor));
  const act = (index: number): void => {
    const client = clients[index]!;
    const dice = prng.below(6);
    if (client.closed || dice === 0) {
      client.own.end();
      clients[index] = connect(placeFor(index), client.account);
    } else if (client.told === undefined) return;
    else if (dice < 5) arm(client);
    else disarm(client);
  };
  for (let step = 0; step < 50; step += 1) {
    // In the end clients wait, and nothing that is wrong is mended by a further request.
    if (step < 35) act(prng.below(actors.length));
    // In half of the runs the link is away for long meanwhile.
    if (step === 35 && prng.below(2) === 0) {
      await turn();
      wire.cut();
      pass(7000);
      await turn();
    }
    const dice = prng.below(8);
    if (dice === 0) {
      if (prng.below(2) === 0) wire.lose('toHolder', 'requests');
      else wire.lose('toFollower', 'batch');
      await turn();
      wire.cut();
      for (const direction of ['toHolder', 'toFollower'] as const) wire.lose(direction, undefined);
    }
    if (dice === 1) wire.mend();
    if (dice === 2) pass(prng.below(8000));
    if (dice > 5) await look();
    if (dice % 2 === 0) await turn();
  }
  wire.mend();
  for (let round = 0; round < 12; round += 1) {
    await look();
    await turn();
    pass(1000);
  }
  return clients.flatMap(({ account: id, told, closed }) => {
    const [count, name] = [armed(id), `account ${id}, whose answer was "${told}"`];
    if (told === undefined) return [`${name} has no answer`];
    if (count > (closed ? 0 : 1)) return [`${name} is armed by a connection that has ended`];
    if (!closed && told === 'armed' && count === 0) return [`${name} is not armed`];
    return !closed && told === 'disarmed' && count > 0 ? [`${name} is armed`] : [];
  });
}

test('COD-6 whatever happens to the link, clients are armed as the answers say', async () => {
  for (let seed = 1; seed <= 12; seed += 1) expect(await live(seed), `seed ${seed}`).toEqual([]);
});

test.each(['goesOnWhenLost', 'forgetsFates'] as const)(
  'COD-6 the mistake %s is found',
  async (mistake) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 12 && found.length === 0; seed += 1) {
      found.push(...(await live(seed, mistake)));
    }
    expect(found).not.toEqual([]);
  },
);
