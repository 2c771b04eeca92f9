// One seed of the chain service's simulation: a world, faults, and rest at its end. Some seeds go
// beyond what the protocol promises: a reorganisation past finality, an old backup of the log.

import type { Hex } from 'viem';
import { happen, refreshNodes, reorganise, writeBatch } from './chainEvents.ts';
import {
  type ChainWorld,
  count,
  createChainWorld,
  kill,
  startService,
  takeSteps,
} from './chainWorld.ts';
import { type ChainJudge, createChainJudge, wrongAnchor, wrongCover } from './createChainJudge.ts';
import { finalDepth } from './simulatedChain.ts';
import type { Control } from './simulatedNode.ts';

export type ChainSeedResult = {
  readonly seed: number;
  readonly wrongs: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
};

/** Before the rest. */
const events = 400;

type Kind = 'within' | 'deep' | 'backup';
const kinds: readonly Kind[] = ['within', 'within', 'within', 'deep', 'backup'];

export async function runChainSeed(
  seed: number,
  control: Control = 'none',
): Promise<ChainSeedResult> {
  const world = createChainWorld(seed, control);
  const kind = control === 'none' ? kinds[seed % kinds.length]! : 'within';
  let isWithin = true;
  const judge = createChainJudge(world, () => isWithin);
  world.onRound = (round, isAlone) => {
    count(world, 'rounds');
    for (const { name } of round.alarms) count(world, name);
    if (isAlone) judge.afterRound(round);
  };
  world.liar = world.prng.below(4) - 1;
  startService(world);
  const act = async (times: number): Promise<void> => {
    for (let made = 0; made < times && judge.wrongs.length === 0; made += 1) {
      happen(world);
      judge.afterBlock();
      await takeSteps(world, world.prng.below(16));
    }
  };
  await act(events / 2);
  const backups = [world.engine.backup(), world.reports.backup(), world.trees.backup()];
  const restore = (): void => {
    for (const back of backups) back();
  };
  await act(events / 2);
  if (kind !== 'within') {
    isWithin = false;
    if (kind === 'deep') goBeyondFinality(world);
    else goBack(world, judge, restore);
    await act(events / 2);
  } else if (judge.wrongs.length === 0) await comeToRest(world, judge);
  return { seed, wrongs: judge.wrongs, counts: Object.fromEntries(world.counts) };
}

/** All nodes see the new chain at once; the services begin anew. */
function goBeyondFinality(world: ChainWorld): void {
  for (const running of [...world.running]) kill(world, running);
  reorganise(world, Number(finalDepth) + 1 + world.prng.below(12));
  for (const node of world.nodes) {
    node.mode = 'good';
    node.head = world.chain.head();
  }
  count(world, 'deep');
  startService(world);
}

/** The log of an earlier time is started, while the chain goes on. */
function goBack(world: ChainWorld, judge: ChainJudge, restore: () => void): void {
  for (const running of [...world.running]) kill(world, running);
  restore();
  const { open, ended } = world.engine.state();
  const lost = [...world.chain.head().vault.records].filter(
    ([id, { state }]) => state === 'paid' && !open.has(id) && ended.get(id)?.end !== 'completed',
  );
  if (lost.length > 0) {
    judge.forbidPayments('the vault has paid what the engine does not know');
    count(world, 'lostPayments');
  }
  startService(world);
}

/** Faults end; then days pass, and everything that was begun must have its end. */
async function comeToRest(world: ChainWorld, judge: ChainJudge): Promise<void> {
  for (const running of [...world.running]) kill(world, running);
  for (const node of world.nodes) node.mode = 'good';
  world.replicaIsLate.fill(false);
  world.gasBalance = 10n ** 18n;
  world.chain.setBaseFee(10n);
  world.chain.add({ effect: (vault) => ({ ...vault, isPaused: false, blocked: new Set() }) });
  const last = requestLast(world);
  writeBatch(world);
  world.reports.endPeriod();
  world.trees.make(world.engine.exchange());
  startService(world);
  for (let round = 0; round < restRounds; round += 1) {
    // First time for what can be paid, then for the ends of the others.
    const seconds = round > restRounds / 4 && round % 40 === 0 ? 40_000n : 2n;
    if (round % 4 === 0) world.chain.mine(seconds, () => true);
    refreshNodes(world);
    judge.afterBlock();
    await takeSteps(world, 30);
    const { open, total } = world.engine.state();
    const { vault } = world.chain.head();
    const isCredited = total === (vault.deposits.at(-1)?.cumulative ?? 0n);
    const isSaid = wrongCover(world, vault) === undefined && !wrongAnchor(world, vault);
    const isDone = open.size === 0 && isCredited && isSaid;
    if (isDone && world.chain.final().vault === vault) break;
  }
  judge.atRest(last);
}

/** A withdrawal without any obstacle must be paid, and not only be given back. */
function requestLast({ engine, chain }: ChainWorld): Hex | undefined {
  const rich = [...engine.state().balances].find(([, units]) => units > 0n);
  if (rich === undefined) return undefined;
  return engine.request({ to: rich[0], units: 1n, time: chain.head().time });
}

const restRounds = 1200;
