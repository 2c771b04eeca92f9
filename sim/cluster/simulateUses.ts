// Three processes of a deployment that count the requests of their clients against limits which
// they share. Links are late, break, and open again; the holder, which all others are linked to,
// changes. The decisions are the real ones; time moves by milliseconds.

import type { Uses } from '../../src/link/linkMessage.ts';
import {
  createUseExchange,
  forgetUses,
  onUseLink,
  onUseLinkGone,
  recordUses,
  takeUses,
  type UseExchange,
  usesEveryMs,
  usesToSay,
} from '../../src/link/uses.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';

/** What can be wrong; the simulation must find each. */
export type UseMistake =
  /** A new link begins with what changes from now on. */
  | 'sayNothingAtLink'
  /** The holder keeps what it hears for itself. */
  | 'passNothingOn'
  /** What comes is added, however often it comes. */
  | 'addTotals';

export type UseWorld = {
  readonly seed: number;
  readonly processes: number;
  readonly windowMs: number;
  readonly windows: number;
  readonly limit: number;
  /** Requests of weight 1 that clients send in a millisecond, on average. */
  readonly rate: number;
  readonly latencyMaxMs: number;
  /** How many times a link or the holder fails in 1000 ms, on average. */
  readonly failuresPerSecond: number;
  readonly mistake?: UseMistake;
};

export type UseResult = {
  /** What was admitted in each window, over all processes. */
  readonly admitted: readonly number[];
  /** The most that one process has admitted in the time that a message needs through the star. */
  readonly burst: number;
  /** What each process has counted at the end, when links were whole and all was said. */
  readonly counts: readonly number[];
  /** What was admitted in the last window. */
  readonly last: number;
};

type Node = {
  readonly name: string;
  readonly exchange: UseExchange;
  window: number;
  used: number;
  foreign: number;
  /** When each of its own requests was admitted. */
  readonly times: number[];
};

type Message = {
  readonly to: Node;
  readonly at: number;
  readonly link: number;
  readonly body: Uses;
};

const name = 'weight 10.0.0.1';

export function simulateUses(world: UseWorld): UseResult {
  const prng = createPrng(world.seed);
  const nodes = Array.from({ length: world.processes }, (_, index): Node => {
    const exchange = createUseExchange(`p${index}`);
    return { name: `p${index}`, exchange, window: 0, used: 0, foreign: 0, times: [] };
  });
  const net = createStar(world, prng, nodes);
  const admitted: number[] = [];
  const end = world.windowMs * world.windows;
  for (let now = 0; now < end; now += 1) {
    // The last third of a window is quiet, so that its totals can be compared.
    const isBusy = now % world.windowMs < (2 * world.windowMs) / 3;
    if (isBusy && prng.below(1000) < world.failuresPerSecond) net.fail();
    net.deliver(now, (node, body) => hear(world, node, body));
    for (let sent = isBusy ? arrivals(world, prng) : 0; sent > 0; sent -= 1) {
      const node = nodes[prng.below(nodes.length)]!;
      const window = Math.floor(now / world.windowMs);
      if (admit(world, node, now)) admitted[window] = 1 + (admitted[window] ?? 0);
    }
    if (now % usesEveryMs === 0) for (const node of nodes) say(world, node, now, net);
  }
  return {
    admitted,
    burst: Math.max(...nodes.map(({ times }) => burstOf(times, delayOf(world)))),
    counts: nodes.map(({ used }) => used),
    last: admitted.at(-1) ?? 0,
  };
}

/** From a request at one follower until another one has counted it. */
export const delayOf = ({ latencyMaxMs }: UseWorld): number => 2 * (usesEveryMs + latencyMaxMs);

const arrivals = ({ rate }: UseWorld, prng: Prng): number =>
  Math.floor(rate) + (prng.below(1000) < 1000 * (rate % 1) ? 1 : 0);

function enter(node: Node, window: number): void {
  if (window <= node.window) return;
  node.window = window;
  node.used = 0;
  node.foreign = 0;
}

function admit({ windowMs, limit }: UseWorld, node: Node, now: number): boolean {
  enter(node, now - (now % windowMs));
  if (node.used + 1 > limit) return false;
  node.used += 1;
  node.times.push(now);
  return true;
}

function hear({ windowMs, mistake }: UseWorld, node: Node, body: Uses): void {
  const gains =
    mistake === 'addTotals'
      ? body.uses.map(({ total, ...use }) => ({ ...use, amount: total }))
      : takeUses(node.exchange, body);
  if (body.process === node.name) return;
  for (const { until, amount } of gains) {
    enter(node, until - windowMs);
    if (until - windowMs !== node.window) continue;
    node.used += amount;
    node.foreign += amount;
  }
  if (mistake !== 'passNothingOn') return;
  for (const { unsaid } of node.exchange.links.values()) unsaid.delete(body.process);
}

function say(world: UseWorld, node: Node, now: number, net: Star): void {
  forgetUses(node.exchange, now);
  const until = node.window + world.windowMs;
  const total = node.used - node.foreign;
  if (total > 0 && until > now) recordUses(node.exchange, [{ name, until, total }]);
  for (const link of node.exchange.links.keys()) {
    for (const message of usesToSay(node.exchange, link)) {
      net.send(node, link, { kind: 'uses', ...message }, now);
    }
  }
}

/** The most that falls into any span of this length. */
function burstOf(times: readonly number[], spanMs: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while (times[last]! - times[first]! > spanMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

type Star = {
  readonly send: (from: Node, link: number, body: Uses, now: number) => void;
  readonly deliver: (now: number, take: (node: Node, body: Uses) => void) => void;
  readonly fail: () => void;
};

/** All links of the star, and what is on its way over them. */
function createStar(world: UseWorld, prng: Prng, nodes: readonly Node[]): Star {
  let links = 0;
  let holder = nodes[0]!;
  const open = new Map<number, { readonly ends: readonly [Node, Node] }>();
  let onTheWay: Message[] = [];
  const join = (follower: Node): void => {
    links += 1;
    open.set(links, { ends: [follower, holder] });
    for (const [one, other] of [[follower, holder] as const, [holder, follower] as const]) {
      onUseLink(one.exchange, links, other.name);
      if (world.mistake === 'sayNothingAtLink') one.exchange.links.get(links)!.unsaid.clear();
    }
  };
  const cut = (link: number): void => {
    for (const { exchange } of open.get(link)!.ends) onUseLinkGone(exchange, link);
    open.delete(link);
    // A message may have arrived before the link broke, or not.
    onTheWay = onTheWay.filter((message) => message.link !== link || prng.below(2) === 0);
  };
  const followers = (): readonly Node[] => nodes.filter((node) => node !== holder);
  for (const follower of followers()) join(follower);
  return {
    send: (from, link, body, now) => {
      const { ends } = open.get(link)!;
      const to = ends[0] === from ? ends[1] : ends[0];
      onTheWay.push({ to, link, at: now + 1 + prng.below(world.latencyMaxMs), body });
    },
    deliver: (now, take) => {
      const due = onTheWay.filter(({ at }) => at <= now);
      onTheWay = onTheWay.filter(({ at }) => at > now);
      for (const { to, body } of due) take(to, body);
    },
    fail: () => {
      const isHolder = prng.below(3) === 0;
      if (isHolder) {
        for (const link of [...open.keys()]) cut(link);
        holder = nodes[prng.below(nodes.length)]!;
        for (const follower of followers()) join(follower);
        return;
      }
      const [link, { ends }] = [...open][prng.below(open.size)]!;
      cut(link);
      join(ends[0]);
    },
  };
}
