// Has the tree of what is owed made at the first batch of each stretch of the log's time (VLT-8),
// beside other work, so that all replicas make the same ones. It publishes them, judges trees that
// others name, and proves leaves of the one that the vault names, or else of the newest.

import type { Exchange } from '../engine/views/exchange.ts';
import { type LiabilityRoom, liabilitiesOf } from '../engine/views/liabilities.ts';
import { vaultOf } from '../engine/views/vault.ts';
import type { Clock } from '../std/clock.ts';
import { type OpenTree, openTree } from './openTree.ts';
import type { Proof, TreeHead } from './tree.ts';
import { type Growing, growHere, type TreeGrower } from './treeGrower.ts';
import {
  type FiledTree,
  listTrees,
  publishTree,
  readAnchored,
  removeOldTrees,
  type TreeDirectory,
  writeAnchored,
} from './writeTree.ts';

export type TreeMakerOptions = {
  /** Where trees are published; undefined: they are only made. */
  readonly place: TreeDirectory | undefined;
  readonly chainId: number;
  /** The length of a stretch, milliseconds. */
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Makes them; undefined: this thread does. */
  readonly grower?: TreeGrower;
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
export type WalletProof = Pick<FiledTree, 'head' | 'fileHash'> & { readonly proof: Proof | null };

export type TreeMaker = {
  /** Once, before the first batch: where the replica stands. The newest file is read for proofs. */
  readonly begin: (standing: Pick<Moment, 'position' | 'time'>) => void;
  /**
   * To be called after each batch; no other one may be applied before its steps are done. They are
   * a pass over all accounts where a stretch begins. Faults when money was made or lost.
   */
  readonly passed: (moment: Moment) => Generator<void, void>;
  /** True when there is more to do here. What is made elsewhere wakes who waits for it. */
  readonly work: (until: number) => boolean;
  /** A tree has been in the making for less than 20 s: work that is late anyway should wait. */
  readonly needsRoom: () => boolean;
  /** The newest tree that this replica has made: what a file says is never signed. */
  readonly newest: () => TreeClaim | undefined;
  readonly judge: (claim: TreeClaim) => TreeJudgement;
  /** The vault names this tree: its file stays, also after a start, and proofs are of it. */
  readonly keep: (position: number) => void;
  /** undefined: there is no tree. Cost: a block of its file is read and hashed. */
  readonly prove: (wallet: string) => WalletProof | undefined;
  /** Ends what is being made. */
  readonly close: () => void;
};

type Job = {
  readonly position: number;
  readonly begunAt: number;
  /** Whether it is made of this replica's state. */
  readonly isOwn: boolean;
  readonly growing: Growing;
};

type Making = {
  readonly options: TreeMakerOptions;
  readonly grower: TreeGrower;
  readonly room: LiabilityRoom;
  position: number;
  /** At or before this batch it does not know which trees the log has. */
  unknownTo: number;
  slot: number;
  job: Job | undefined;
  newest: OpenTree | undefined;
  /** The tree that the vault names, where this replica has it open. */
  kept: OpenTree | undefined;
  /** The newest own ones, by position. */
  readonly made: Map<number, TreeClaim>;
  /** Positions of stretches without a tree. */
  readonly leftOut: Set<number>;
  anchored: number | undefined;
};

/** Trading goes on: only the token of such a deployment is worthless. */
export const tooLargeText = 'an address is owed or was paid 2^64 units or more';

const filesKept = 24;
const roomMs = 20_000;
const rememberedMax = 100;

export function createTreeMaker(options: TreeMakerOptions): TreeMaker {
  const run: Making = {
    ...{ options, room: {}, grower: options.grower ?? growHere(options.place, options.clock) },
    ...{ position: 0, unknownTo: 0, slot: 0, job: undefined },
    ...{ newest: undefined, kept: undefined },
    ...{ made: new Map(), leftOut: new Set(), anchored: undefined },
  };
  return {
    begin: (standing) => begin(run, standing),
    passed: (moment) => passed(run, moment),
    work: (until) => work(run, until),
    needsRoom: () => run.job?.isOwn === true && run.job.begunAt + roomMs > options.clock.now(),
    newest: () => [...run.made.values()].at(-1),
    judge: (claim) => judge(run, claim),
    keep: (position) => keep(run, position),
    prove: (wallet) => prove(run, wallet),
    close: () => {
      run.job?.growing.stop();
      run.job = undefined;
      hold(run, undefined, undefined);
    },
  };
}

/** A file that cannot be read, or is not what it was, proves nothing any more. */
function prove(run: Making, wallet: string): WalletProof | undefined {
  for (;;) {
    const { newest, kept, options } = run;
    const tree = kept ?? newest;
    if (tree === undefined) return undefined;
    const { head, fileHash } = tree.filed;
    try {
      return { head, fileHash, proof: tree.prove(wallet) ?? null };
    } catch (error) {
      const why = (error as Error).message;
      options.report(`the tree of batch ${head.position} proves nothing any more: ${why}`);
      hold(run, newest === tree ? undefined : newest, undefined);
    }
  }
}

/** Closes what is not held any more. */
function hold(run: Making, newest: OpenTree | undefined, kept: OpenTree | undefined): void {
  const before = new Set([run.newest, run.kept]);
  run.newest = newest;
  run.kept = kept;
  for (const tree of before) if (tree !== newest && tree !== kept) tree?.close();
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
  const growing = run.grower.read(wanted);
  run.job = { position: wanted, begunAt: clock.now(), isOwn: false, growing };
}

/** After a start it is read from a file, if it is there. */
function keep(run: Making, position: number): void {
  const { newest, kept, options } = run;
  const found = [kept, newest].find((each) => each?.filed.head.position === position);
  hold(run, newest, found);
  if (run.anchored === position) return;
  run.anchored = position;
  try {
    if (options.place !== undefined) writeAnchored(options.place, position);
  } catch (error) {
    options.report(`the place of the last anchor cannot be kept: ${(error as Error).message}`);
  }
}

function* passed(
  run: Making,
  { exchange, position, time, batchHash }: Moment,
): Generator<void, void> {
  run.position = position;
  const slot = slotOf(run, time);
  if (slot <= run.slot) return;
  run.slot = slot;
  const { chainId, intervalMs, clock } = run.options;
  const binding = vaultOf(exchange);
  if (binding === undefined) return;
  const { job } = run;
  // A replica that reads many stretches again makes the tree of the last one; a slow one of some.
  if (job?.isOwn && clock.now() - job.begunAt >= intervalMs / 2) return leaveOut(run, position);
  if (job?.isOwn) leaveOut(run, job.position);
  job?.growing.stop();
  run.job = undefined;
  const owed = yield* liabilitiesOf(exchange, run.room);
  if (owed === undefined) return;
  if (owed === 'tooLarge') {
    leaveOut(run, position);
    run.options.report(`the tree of batch ${position} cannot be made: ${tooLargeText}`);
    return;
  }
  const at = { chainId, vault: binding.address, position, batchHash, time };
  const growing = run.grower.make(at, owed);
  run.job = { position, begunAt: clock.now(), isOwn: true, growing };
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

function work(run: Making, until: number): boolean {
  const { job, options } = run;
  if (job === undefined) return false;
  try {
    const grown = job.growing.step(until);
    if (typeof grown === 'string') return grown === 'more';
    run.job = undefined;
    finishJob(run, job, grown);
  } catch (error) {
    // The log is whole without it, and the next stretch has another one.
    run.job = undefined;
    if (job.isOwn) leaveOut(run, job.position);
    const what = job.isOwn ? 'be made' : 'be read';
    options.report(`the tree of batch ${job.position} cannot ${what}: ${(error as Error).message}`);
  }
  return false;
}

function finishJob(run: Making, { position, isOwn }: Job, filed: FiledTree): void {
  const { place } = run.options;
  if (place !== undefined && isOwn) publishTree(place, position);
  if (isOwn) {
    run.made.set(position, claimOf(filed));
    forgetOldest(run, run.made);
  }
  if (place === undefined) return;
  const tree = openTree(place, filed);
  hold(run, tree, position === run.anchored ? tree : run.kept);
  if (isOwn) removeOldTrees(place, filesKept, (each) => each === run.anchored);
}

export function claimOf({ head, fileHash }: Pick<FiledTree, 'head' | 'fileHash'>): TreeClaim {
  const { position, batchHash, root, sum, deficit, leaves, depositCount, withdrawn } = head;
  return { position, batchHash, root, sum, deficit, leaves, depositCount, withdrawn, fileHash };
}

function judge(run: Making, claim: TreeClaim): TreeJudgement {
  const { position, unknownTo, made, job, leftOut } = run;
  const at = claim.position;
  if (at > position) return 'ahead';
  const own = made.get(at);
  if (own !== undefined) return isSameClaim(own, claim) ? 'right' : 'wrong';
  const file = [run.newest, run.kept].find((each) => each?.filed.head.position === at);
  if (file !== undefined) return isSameClaim(claimOf(file.filed), claim) ? 'filed' : 'wrong';
  if (job?.position === at) return 'later';
  if (at <= unknownTo || leftOut.has(at)) return 'unknown';
  // No first batch of a stretch.
  return 'wrong';
}

export function isSameClaim(one: TreeClaim, other: TreeClaim): boolean {
  const names = Object.keys(one) as (keyof TreeClaim)[];
  return names.every((name) => one[name] === other[name]);
}
