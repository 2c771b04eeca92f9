// Goal: when all places are taken, the connection that the rule names is closed (CON-1). Method:
// seeded openings, requests, closings and evictions; each choice is compared with one that looks at
// every connection.

import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  type ConnectionClient,
  createConnectionClients,
} from '../../src/gateway/connectionClients.ts';
import { must } from '../../src/std/assert.ts';
import { createPrng } from '../../src/std/prng.ts';

const trustedProxies = new Set(['10.0.0.1', '10.0.0.2']);
const socketOf = (remoteAddress: string): Socket => ({ remoteAddress }) as Socket;

/** The model of a connection. */
type Held = {
  readonly socket: Socket;
  readonly client: ConnectionClient;
  readonly address: string;
  /** The step since which it is idle; undefined: it is busy. */
  idleSince: number | undefined;
};

/** Since when each address and each site has idle connections without a break. */
type Since = Map<string, number>;

/** The first three groups of an IPv6 address, or the whole IPv4 address. */
const siteOf = (address: string): string =>
  address.includes(':') ? address.split(':').slice(0, 3).join(':') : address;

/**
 * Proxies last; the site with the most connections first, then the one that is idle for longest; in
 * it the address with the most, then the one that is idle for longest.
 */
function chosenByLooking(held: readonly Held[], since: Since): Held | undefined {
  const countOf = (name: string, nameOf: (address: string) => string): number =>
    held.filter((each) => nameOf(each.address) === name).length;
  const rank = ({ address, idleSince }: Held): readonly number[] => [
    trustedProxies.has(address) ? 1 : 0,
    -countOf(siteOf(address), siteOf),
    must(since.get(siteOf(address)), 'its site has idle ones'),
    -countOf(address, (each) => each),
    must(since.get(address), 'it has idle ones'),
    must(idleSince, 'it is idle'),
  ];
  const ranked = held
    .filter(({ idleSince }) => idleSince !== undefined)
    .map((each) => ({ each, rank: rank(each) }))
    .sort((a, b) => {
      const at = a.rank.findIndex((value, i) => value !== b.rank[i]);
      return at < 0 ? 0 : a.rank[at]! - b.rank[at]!;
    });
  return ranked[0]?.each;
}

test.each([1, 2, 3, 4])(
  'CON-1 the evicted connection is the one that a search of all finds, seed %i',
  (seed) => {
    const prng = createPrng(seed);
    const clients = createConnectionClients({ perAddress: 12, trustedProxies });
    const held: Held[] = [];
    const since: Since = new Map();
    let evictions = 0;
    const settle = (step: number): void => {
      const withIdle = new Set(
        held
          .filter(({ idleSince }) => idleSince !== undefined)
          .flatMap(({ address }) => [address, siteOf(address)]),
      );
      for (const address of [...since.keys()]) if (!withIdle.has(address)) since.delete(address);
      for (const address of withIdle) if (!since.has(address)) since.set(address, step);
    };
    for (let step = 1; step <= 3000; step += 1) {
      const what = prng.below(10);
      const one = held.length === 0 ? undefined : held[prng.below(held.length)]!;
      if (what < 4 || one === undefined) {
        const number = prng.below(20);
        const address =
          number < 2
            ? `10.0.0.${number + 1}`
            : number < 14
              ? `192.0.2.${number * number}`
              : `2001:db8:${number % 2}:${number}::9`;
        const socket = socketOf(address);
        const client = clients.take(socket);
        const count = held.filter((each) => each.address === address).length;
        const ofSite = held.filter((each) => siteOf(each.address) === siteOf(address)).length;
        const isFull = count >= 12 || (address.includes(':') && ofSite >= 48);
        expect(client === undefined).toBe(!trustedProxies.has(address) && isFull);
        if (client !== undefined) held.push({ socket, client, address, idleSince: step });
      } else if (what < 6) {
        clients.noteBusy(one.client, one.socket);
        one.idleSince = undefined;
      } else if (what < 8) {
        if (one.idleSince === undefined) {
          clients.noteIdle(one.client, one.socket);
          one.idleSince = step;
        }
      } else if (what < 9) {
        clients.drop(one.client, one.socket);
        held.splice(held.indexOf(one), 1);
      } else {
        const expected = chosenByLooking(held, since);
        const gone = clients.giveWay();
        expect(gone, `step ${step}`).toBe(expected?.socket);
        if (expected !== undefined) {
          held.splice(held.indexOf(expected), 1);
          // Its socket closes later, and that does not count again.
          clients.drop(expected.client, expected.socket);
          evictions += 1;
        }
      }
      settle(step);
    }
    expect(evictions).toBeGreaterThan(200);
  },
);

test('CON-1 the /64s of one IPv6 /48 have four shares of an address together, in connections too', () => {
  const clients = createConnectionClients({ perAddress: 2, trustedProxies });
  const open = (network: number): ConnectionClient | undefined =>
    clients.take(socketOf(`2001:db8:1:${network}::7`));
  const opened = [1, 2, 3, 4, 5].map((network) => [open(network), open(network), open(network)]);
  expect(opened.map((three) => three.filter((client) => client !== undefined).length)).toEqual([
    2, 2, 2, 2, 0,
  ]);
  expect(clients.figures.refused).toEqual({ address: 4, site: 3, all: 0 });
  expect(clients.take(socketOf('2001:db8:2:1::7'))).toBeDefined();
  const first = must(opened[0]![0], 'the first one came in');
  const [socket] = first.items;
  clients.drop(first, must(socket, 'it is open'));
  expect(open(5)).toBeDefined();
});

test('CON-1 twenty thousand clients of a few /48s give way before a client with ten connections', () => {
  const clients = createConnectionClients({ perAddress: 1000, trustedProxies });
  const desk = Array.from({ length: 10 }, () => socketOf('192.0.2.1'));
  for (const socket of desk) expect(clients.take(socket)).toBeDefined();
  for (let at = 0; at < 20_000; at += 1) {
    const address = `2001:db8:${at % 5}:${Math.floor(at / 5).toString(16)}::1`;
    expect(clients.take(socketOf(address))).toBeDefined();
  }
  const gone = new Set(Array.from({ length: 19_900 }, () => clients.giveWay()));
  expect(gone.size).toBe(19_900);
  expect(desk.filter((socket) => gone.has(socket))).toEqual([]);
});
