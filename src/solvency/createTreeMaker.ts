// Makes the tree of what is owed at the first batch of each stretch of the log's time (VLT-8), in
// short steps beside other work, so that all replicas make the same ones. It publishes them,
// judges trees that others name, and proves leaves of the one that the vault names, or else of the
// newest.

import type { Exchange } from '../engine/views/exchange.ts';
import { liabilitiesOf } from '../engine/views/liabilities.ts';
import { vaultOf } from '../engine/views/vault.ts';
import type { Clock } from '../std/clock.ts';
import { growTree, type Proof, proveWallet, type TreeHead } from './tree.ts';
import {
  type FiledTree,
  listTrees,
  readAnchored,
  readTree,
  removeOldTrees,
  type TreeDirectory,
  writeAnchored,
  writeTree,
} from './writeTree.ts';

export type TreeMakerOptions = {
  /** Where trees are published; undefined: they are only made. */
  readonly place: TreeDirectory | undefined;
  readonly chainId: number;
  /** The length of a stretch, milliseconds. */
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Receives sentences that an operator should know. */
  readonly report: (message: string) => void;
};

/** A replica behind one of its batches. */
export type Moment = {
  readonly exchange: Exchange;
  readonly position: number;
  readonly time: number;
  /** 64 hex digits. */
  readonly batchHash: string;
};

/** What an anchor says of a tree. */
export type TreeClaim = Pick<
  TreeHead,
  | ('position' | 'batchHash' | 'root' | 'sum' | 'deficit' | 'leaves')
  | ('depositCount' | 'withdrawn')
> & { readonly fileHash: string };

/**
 * `right`: this replica has made the same. `filed`: a file says the same, and this replica has not
 * made it. `ahead`: the log does not reach there. `later`: it is being made. `unknown`: it lies
 * before this replica's start, or was left out.
 */
export type TreeJudgement = 'right' | 'filed' | 'wrong' | 'ahead' | 'later' | 'unknown';

/** What a tree says of itself and of a wallet; null: it has no leaf of it. */
export type WalletProof = {
  readonly claim: TreeClaim;
  readonly time: number;
  readonly proof: Proof | null;
};

export type TreeMaker = {
  /** Once, before the first batch: where the replica stands. The newest file is read for proofs. */
  readonly begin: (standing: Pick<Moment, 'position' | 'time'>) => void;
  /** Cost: a pass over all accounts where a stretch begins. Faults when money was made or lost. */
  readonly passed: (moment: Moment) => void;
  /** True when there is more to do. */
  readonly work: (until: number) => boolean;
  /** The newest tree that this replica has made: what a file says is never signed. */
  readonly newest: () => TreeClaim | undefined;
  readonly judge: (claim: TreeClaim) => TreeJudgement;
  /** The vault names this tree: its file stays, also after a start, and proofs are of it. */
  readonly keep: (position: number) => void;
  /** undefined: there is no tree. */
  readonly prove: (wallet: string) => WalletProof | undefined;
};

type Job = {
  readonly position: number;
  readonly begunAt: number;
  /** Whether it is made of this replica's state. */
  readonly isOwn: boolean;
  readonly steps: Generator<void, FiledTree>;
};

type Making = {
  readonly options: TreeMakerOptions;
  position: number;
  /** At or before this batch it does not know which trees the log has. */
  unknownTo: number;
  slot: number;
  job: Job | undefined;
  newest: FiledTree | undefined;
  /** The tree that the vault names, where this replica has it in memory. */
  kept: FiledTree | undefined;
  /** The newest own ones, by position. */
  readonly made: Map<number, TreeClaim>;
  /** Positions of stretches without a tree. */
  readonly leftOut: Set<number>;
  anchored: number | undefined;
};

const filesKept = 24;
const rememberedMax = 100;

export function createTreeMaker(options: TreeMakerOptions): TreeMaker {
  const run: Making = {
    ...{ options, position: 0, unknownTo: 0, slot: 0, job: undefined },
    ...{ newest: undefined, kept: undefined },
    ...{ made: new Map(), leftOut: new Set(), anchored: undefined },
  };
  return {
    begin: (standing) => begin(run, standing),
    passed: (moment) => passed(run, moment),
    work: (until) => work(run, until),
    newest: () => [...run.made.values()].at(-1),
    judge: (claim) => judge(run, claim),
    keep: (position) => keep(run, position),
    prove: (wallet) => {
      const filed = run.kept ?? run.newest;
      if (filed === undefined) return undefined;
      const { tree } = filed;
      const proof = proveWallet(tree, wallet) ?? null;
      return { claim: claimOf(filed), time: tree.head.time, proof };
    },
  };
}

const slotOf = ({ options }: Making, time: number): number => Math.floor(time / options.intervalMs);

function begin(run: Making, { position, time }: Pick<Moment, 'position' | 'time'>): void {
  const { place, clock } = run.options;
  run.position = position;
  run.unknownTo = position;
  run.slot = slotOf(run, time);
  if (place === undefined) return;
  const there = listTrees(place);
  run.anchored = readAnchored(place);
  const wanted = there.findLast((each) => each === run.anchored) ?? there.at(-1);
  if (wanted === undefined) return;
  const steps = readTree(place, wanted);
  run.job = { position: wanted, begunAt: clock.now(), isOwn: false, steps };
}

/** After a start it is read from a file, if it is there. */
function keep(run: Making, position: number): void {
  const { newest, kept, options } = run;
  if (newest?.tree.head.position === position) run.kept = newest;
  else if (kept?.tree.head.position !== position) run.kept = undefined;
  if (run.anchored === position) return;
  run.anchored = position;
  try {
    if (options.place !== undefined) writeAnchored(options.place, position);
  } catch (error) {
    options.report(`the place of the last anchor cannot be kept: ${(error as Error).message}`);
  }
}

function passed(run: Making, { exchange, position, time, batchHash }: Moment): void {
  run.position = position;
  const slot = slotOf(run, time);
  if (slot <= run.slot) return;
  run.slot = slot;
  const { chainId, intervalMs, clock, place } = run.options;
  const binding = vaultOf(exchange);
  const owed = liabilitiesOf(exchange);
  if (binding === undefined || owed === undefined) return;
  const { job } = run;
  // A replica that reads many stretches again makes the tree of the last one; a slow one of some.
  if (job?.isOwn && clock.now() - job.begunAt >= intervalMs / 2) return leaveOut(run, position);
  if (job?.isOwn) leaveOut(run, job.position);
  end(job);
  const at = { chainId, vault: binding.address, position, batchHash, time };
  const steps = make(growTree(at, owed), place);
  run.job = { position, begunAt: clock.now(), isOwn: true, steps };
}

function* make(
  growing: ReturnType<typeof growTree>,
  place: TreeDirectory | undefined,
): Generator<void, FiledTree> {
  return yield* writeTree(place, yield* growing);
}

function leaveOut(run: Making, position: number): void {
  run.leftOut.add(position);
  forgetOldest(run, run.leftOut);
}

function forgetOldest(run: Making, some: Map<number, unknown> | Set<number>): void {
  const [oldest] = some.keys();
  if (some.size <= rememberedMax) return;
  some.delete(oldest!);
  run.unknownTo = Math.max(run.unknownTo, oldest!);
}

/** Lets it close its file. */
const end = (job: Job | undefined): unknown => job?.steps.return(undefined as never);

function work(run: Making, until: number): boolean {
  const { job, options } = run;
  if (job === undefined) return false;
  try {
    for (;;) {
      const { done, value } = job.steps.next();
      if (done) {
        run.job = undefined;
        finishJob(run, job, value);
        return false;
      }
      if (options.clock.now() >= until) return true;
    }
  } catch (error) {
    // The log is whole without it, and the next stretch has another one.
    run.job = undefined;
    if (job.isOwn) leaveOut(run, job.position);
    const what = job.isOwn ? 'be made' : 'be read';
    options.report(`the tree of batch ${job.position} cannot ${what}: ${(error as Error).message}`);
    return false;
  }
}

function finishJob(run: Making, { position, isOwn }: Job, filed: FiledTree): void {
  run.newest = filed;
  if (position === run.anchored) run.kept = filed;
  if (!isOwn) return;
  run.made.set(position, claimOf(filed));
  forgetOldest(run, run.made);
  const { place } = run.options;
  if (place !== undefined) removeOldTrees(place, filesKept, (each) => each === run.anchored);
}

export function claimOf({ tree: { head }, fileHash }: FiledTree): TreeClaim {
  const { position, batchHash, root, sum, deficit, leaves, depositCount, withdrawn } = head;
  return { position, batchHash, root, sum, deficit, leaves, depositCount, withdrawn, fileHash };
}

function judge(run: Making, claim: TreeClaim): TreeJudgement {
  const { position, unknownTo, made, job, leftOut } = run;
  const at = claim.position;
  if (at > position) return 'ahead';
  const own = made.get(at);
  if (own !== undefined) return isSameClaim(own, claim) ? 'right' : 'wrong';
  const filed = [run.newest, run.kept].find((each) => each?.tree.head.position === at);
  if (filed !== undefined) return isSameClaim(claimOf(filed), claim) ? 'filed' : 'wrong';
  if (job?.position === at) return 'later';
  if (at <= unknownTo || leftOut.has(at)) return 'unknown';
  // No first batch of a stretch.
  return 'wrong';
}

export function isSameClaim(one: TreeClaim, other: TreeClaim): boolean {
  const names = Object.keys(one) as (keyof TreeClaim)[];
  return names.every((name) => one[name] === other[name]);
}
