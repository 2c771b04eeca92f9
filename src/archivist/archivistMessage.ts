// The messages between the trading thread and the archivist's thread.

import type { Invariants } from '../engine/invariants/invariants.ts';
import type { HistoryWhere } from '../history/openHistoryWriter.ts';
import type { Figures } from '../replica/replicaState.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import type { TreeClaim, TreeJudgement } from '../solvency/createTreeMaker.ts';
import type { ProofText } from '../solvency/proofText.ts';
import type { AccountId, MarketId } from '../units/units.ts';
import type { AdlQuantile } from './adlQuantiles.ts';
import type { Hashes } from './createArchivist.ts';
import type { HistoryFigures } from './createHistorian.ts';
import type { GapHole } from './gapHoles.ts';
import type { LongShort } from './longShort.ts';
import type { NextStretch, Report, ReportJudgement } from './report/report.ts';

/** What the thread gets when it starts: it loads its program and waits at the gate for its data. */
export type ArchivistGate = { readonly gate: SharedArrayBuffer };

/** The first message. It is there when the gate opens. */
export type ArchivistThreadData = {
  readonly logDirectory: string;
  readonly snapshotDirectory: string;
  readonly chainId: number;
  readonly skips: readonly SkipRecord[];
  /** Where engines are kept, and the hash of the present engine. */
  readonly enginesDirectory: string;
  readonly engineHash: string;
  readonly snapshotEvery: number;
  /** Where history is written; undefined when it is not written. */
  readonly history?: HistoryWhere | undefined;
  /** The last durable batch when the exchange started. */
  readonly headPosition: number;
  /** Whether segments that no start needs are compressed. */
  readonly archiveLog: boolean;
  /** Where the keeper's reports are published; undefined: this process reports nothing. */
  readonly reportDirectory?: string | undefined;
  /** Trees of what is owed (VLT-8); undefined: none are made. */
  readonly trees?: TreeSettings | undefined;
};

export type TreeSettings = {
  /** Where they are published. */
  readonly directory: string;
  /** The length of a stretch of the log's time, milliseconds. */
  readonly intervalMs: number;
};

export type Questions = {
  readonly hashes: Hashes;
  readonly invariants: Invariants & { readonly position: number };
  readonly snapshot: { readonly position: number };
  readonly adlQuantiles: readonly AdlQuantile[];
  readonly longShort: LongShort;
  readonly gapHoles: readonly GapHole[];
  readonly judgeReport: ReportJudgement;
  readonly isPublished: boolean;
  readonly nextReport: NextStretch;
  /** null: none was made of this replica yet. */
  readonly newestTree: TreeClaim | null;
  readonly judgeTree: TreeJudgement;
  /** `none`: there is no tree. */
  readonly proveWallet: ProofText | 'none';
};

export type QuestionKind = keyof Questions;

export type Question =
  | { readonly kind: 'hashes' | 'invariants' | 'snapshot' | 'gapHoles' | 'newestTree' }
  | { readonly kind: 'judgeReport' | 'isPublished'; readonly report: Report }
  | { readonly kind: 'judgeTree'; readonly claim: TreeClaim; readonly isAnchor: boolean }
  | { readonly kind: 'proveWallet'; readonly wallet: string }
  | { readonly kind: 'nextReport'; readonly after: number; readonly sequence: number }
  | { readonly kind: 'adlQuantiles'; readonly account: AccountId }
  | { readonly kind: 'longShort'; readonly market: MarketId };

export type Answer = Questions[QuestionKind];

export type ToArchivist =
  /**
   * The log is durable up to this position. The answer is `followed`, except when a question comes
   * with it.
   */
  | { readonly kind: 'follow'; readonly figures: Figures }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly question: Question;
      /** What the archivist must have seen before it answers. */
      readonly figures: Figures;
    }
  /** A client waits for the history of everything up to this position. There is no answer. */
  | { readonly kind: 'urge'; readonly figures: Figures }
  | { readonly kind: 'close' };

/** The archivist's position: a batch and its time. */
export type Progress = { readonly position: number; readonly time: number };

export type FromArchivist =
  /**
   * The first message: the archivist has asked the database for the place of its tables. With
   * `refused` the tables cannot be used.
   */
  | { readonly kind: 'begun'; readonly refused?: string }
  | { readonly kind: 'history'; readonly figures: HistoryFigures }
  | { readonly kind: 'followed'; readonly progress: Progress }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  /** The question has no answer, but trading may go on. */
  | { readonly kind: 'unanswered'; readonly id: number; readonly message: string }
  | { readonly kind: 'report'; readonly message: string }
  /** Trading must stop. */
  | { readonly kind: 'fatal'; readonly message: string };
