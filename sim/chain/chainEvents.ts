// What happens in the world of a chain service between two of its steps, each with a weight. Faults
// stay within what the protocol allows: reorganisations within finality, one node that lies, one
// signer that lies. What goes beyond that is in runChainSeed.ts.

import { type ChainWorld, contract, count, kill, startService } from './chainWorld.ts';
import { ancestorAt, finalDepth } from './simulatedChain.ts';
import { lies } from './simulatedNode.ts';
import {
  addDeposit,
  addReport,
  applyCall,
  cancelQueued,
  depositTotal,
  instantMax,
  type VaultState,
} from './simulatedVault.ts';

function pick<Value>({ prng }: ChainWorld, values: readonly Value[]): Value {
  return values[prng.below(values.length)]!;
}

const chance = (world: ChainWorld, percent: number): boolean => world.prng.below(100) < percent;

/** Nodes that are not late see the new head. */
export function refreshNodes(world: ChainWorld): void {
  for (const node of world.nodes) {
    if (node.mode !== 'late' || chance(world, 10)) node.head = world.chain.head();
  }
}

function mine(world: ChainWorld): void {
  const seconds = chance(world, 3) ? BigInt(world.prng.below(40)) * 3600n : 2n;
  world.chain.mine(seconds + 1n, () => chance(world, 80));
  count(world, 'blocks');
  refreshNodes(world);
}

export function reorganise(world: ChainWorld, depth: number): void {
  world.chain.rewind(depth, () => chance(world, 75));
  // Time after a reorganisation may be earlier than it was before.
  for (let made = 0; made <= depth; made += 1) world.chain.mine(1n, () => chance(world, 60));
  count(world, 'reorganisations');
  refreshNodes(world);
}

const change = (world: ChainWorld, effect: (vault: VaultState) => VaultState): void =>
  world.chain.add({ effect });

function deposit(world: ChainWorld): void {
  const [account, units] = [
    pick(world, world.users),
    BigInt(1 + world.prng.below(50)) * 1_000_000n,
  ];
  change(world, (vault) => addDeposit(vault, account, units));
}

/** Deadlines follow the exchange's clock, which may be ahead of the chain's or behind it. */
function request(world: ChainWorld): void {
  const { engine, chain } = world;
  const to = pick(world, world.users);
  const balance = engine.state().balances.get(to) ?? 0n;
  const limit = chance(world, 20) ? balance : instantMax / 4n;
  const units = 1n + BigInt(world.prng.below(1000)) * (limit / 1000n);
  const skew = BigInt(world.prng.below(600)) - 300n;
  const time = chain.head().time + skew;
  if (engine.request({ to, units, time }) !== undefined) count(world, 'requests');
}

function trade(world: ChainWorld): void {
  const [from, to] = [pick(world, world.users), pick(world, world.users)];
  const balance = world.engine.state().balances.get(from) ?? 0n;
  world.engine.move(from, to, (balance * BigInt(world.prng.below(60))) / 100n);
}

/** One node of the three may lie; all may be late or away. */
function changeNode(world: ChainWorld): void {
  const at = world.prng.below(3);
  const modes = ['good', 'good', 'late', 'dead', ...(at === 0 ? lies : [])] as const;
  world.nodes[at]!.mode = pick(world, modes);
  count(world, world.nodes[at]!.mode);
}

function block(world: ChainWorld): void {
  const [user, isBlocked] = [pick(world, world.users), chance(world, 40)];
  change(world, (vault) => {
    const blocked = new Set(vault.blocked);
    if (isBlocked) blocked.add(user);
    else blocked.delete(user);
    return { ...vault, blocked };
  });
}

/** A guardian stops payments or cancels what waits; the administrator ends a pause. */
function guard(world: ChainWorld): void {
  const isPaused = chance(world, 30);
  if (chance(world, 50)) change(world, (vault) => ({ ...vault, isPaused }));
  else if (chance(world, 70)) {
    change(world, (vault) => {
      const queued = [...vault.records].find(([, { state }]) => state === 'queued');
      return queued === undefined ? vault : cancelQueued(vault, queued[0]);
    });
  } else change(world, (vault) => ({ ...vault, generation: vault.generation + 1 }));
}

/** Anyone may send a signed batch, however old. */
function sendAgain(world: ChainWorld): void {
  const signed = [...world.signed.values()];
  if (signed.length === 0) return;
  const { call } = pick(world, signed);
  world.chain.add({ effect: (vault, time) => applyCall(vault, call, time, contract) });
  count(world, 'sentAgain');
}

function killOne(world: ChainWorld): void {
  if (world.running.length === 0) return;
  kill(world, pick(world, world.running));
  if (chance(world, 20)) world.reports.loseFiles();
  count(world, 'kills');
  if (world.running.length === 0) startService(world);
}

/** Two services at once, as when a lease is lost and its holder does not know it yet. */
function doubleUp(world: ChainWorld): void {
  if (world.running.length < 2) startService(world);
  else killOne(world);
  count(world, 'doubled');
}

function changeMarket(world: ChainWorld): void {
  world.chain.setBaseFee(BigInt(chance(world, 30) ? 500 + world.prng.below(3000) : 10));
  world.gasBalance = chance(world, 30) ? 1000n : 10n ** 18n;
}

function changeSigners(world: ChainWorld): void {
  world.replicaIsLate[world.prng.below(3)] = chance(world, 50);
  if (world.liar !== -1 && chance(world, 30)) count(world, 'liar');
}

function transferDirectly(world: ChainWorld): void {
  change(world, (vault) => ({ ...vault, surplus: vault.surplus + 3_000_000n }));
}

/** A batch of the log; some have rows, and some are the last of their period. */
export function writeBatch(world: ChainWorld): void {
  const { prng, reports } = world;
  const texts = Array.from({ length: prng.below(4) }, () => `row ${prng.below(1_000_000)}`);
  reports.write(texts);
  if (chance(world, 40)) reports.endPeriod();
}

/** A thief of the keeper's key, or another keeper's program with a mistake. */
function reportFalsely(world: ChainWorld): void {
  const { reports } = world;
  const lengthMax = chance(world, 50) ? 10 : 1000;
  // A true digest of a stretch that does not follow is as wrong: what lies before it is left out.
  const isTrue = lengthMax === 10 && chance(world, 50);
  const [from, length] = [BigInt(world.prng.below(30)), BigInt(world.prng.below(lengthMax))];
  change(world, (vault) => {
    const sequence = BigInt(vault.reports.length + 1);
    const to = from + length;
    const digest = isTrue ? reports.digestOf(from, to) : (`0x${'f'.repeat(64)}` as const);
    return addReport(vault, { sequence, from, to, digest });
  });
  count(world, isTrue ? 'strayReports' : 'falseReports');
}

function makeTree(world: ChainWorld): void {
  world.trees.make(world.engine.exchange());
  count(world, 'trees');
}

/** Thieves of k keys: a root of their own, some with a place in the log that no log reaches. */
function anchorFalsely(world: ChainWorld): void {
  const position = chance(world, 30) ? (1n << 64n) - 1n : BigInt(world.prng.below(40));
  const root = `0x${'f'.repeat(64)}` as const;
  change(world, (vault) => {
    const { last, paidTotal } = vault;
    const anchor = {
      ...{ ...last.anchor, epoch: last.anchor.epoch + 1n, root, logPosition: position },
      ...{ depositCount: BigInt(vault.deposits.length), withdrawn: paidTotal },
      ...{ sum: depositTotal(vault) - paidTotal, deficit: 0n },
    };
    return { ...vault, last: { ...last, anchor } };
  });
  count(world, 'falseAnchors');
}

/** At most so deep that no final block goes away. */
function reorganiseWithin(world: ChainWorld): void {
  const { chain } = world;
  const room = Number(chain.head().number - chain.final().number);
  const depth = 1 + world.prng.below(Math.min(room, Number(finalDepth)));
  if (ancestorAt(chain.head(), 1n) !== undefined && room > 0)
    reorganise(world, Math.min(depth, room));
}

const events: readonly (readonly [weight: number, act: (world: ChainWorld) => void])[] = [
  [40, mine],
  [12, deposit],
  [14, request],
  [6, trade],
  [8, reorganiseWithin],
  [7, changeNode],
  [2, block],
  [2, guard],
  [4, sendAgain],
  [4, killOne],
  [2, doubleUp],
  [2, changeMarket],
  [2, changeSigners],
  [1, transferDirectly],
  [10, writeBatch],
  [1, reportFalsely],
  [3, makeTree],
  [1, anchorFalsely],
  [1, ({ trees }) => trees.restart()],
];
const weights = events.reduce((sum, [weight]) => sum + weight, 0);

export function happen(world: ChainWorld): void {
  let drawn = world.prng.below(weights);
  for (const [weight, act] of events) {
    if (drawn < weight) return act(world);
    drawn -= weight;
  }
}
