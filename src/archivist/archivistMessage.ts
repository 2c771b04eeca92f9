// What the trading thread and the archivist's thread say to each other.

import type { Invariants } from '../engine/invariants/invariants.ts';
import type { HistoryWhere } from '../history/openHistoryWriter.ts';
import type { Figures } from '../replica/replicaState.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import type { AccountId, MarketId } from '../units/units.ts';
import type { AdlQuantile } from './adlQuantiles.ts';
import type { Hashes } from './createArchivist.ts';
import type { HistoryFigures } from './createHistorian.ts';
import type { LongShort } from './longShort.ts';

export type ArchivistThreadData = {
  readonly logDirectory: string;
  readonly snapshotDirectory: string;
  readonly chainId: number;
  readonly skips: readonly SkipRecord[];
  /** Where engines are kept, and the hash of the present one. */
  readonly enginesDirectory: string;
  readonly engineHash: string;
  readonly snapshotEvery: number;
  /** Where history is written; undefined: nowhere. */
  readonly history?: HistoryWhere | undefined;
  /** The last durable batch when the exchange started. */
  readonly headPosition: number;
  /** Whether segments that nobody needs are compressed. */
  readonly archiveLog: boolean;
};

export type Questions = {
  readonly hashes: Hashes;
  readonly invariants: Invariants & { readonly position: number };
  readonly snapshot: { readonly position: number };
  readonly adlQuantiles: readonly AdlQuantile[];
  readonly longShort: LongShort;
};

export type QuestionKind = keyof Questions;

export type Question =
  | { readonly kind: Exclude<QuestionKind, 'adlQuantiles' | 'longShort'> }
  | { readonly kind: 'adlQuantiles'; readonly account: AccountId }
  | { readonly kind: 'longShort'; readonly market: MarketId };

export type Answer = Questions[QuestionKind];

export type ToArchivist =
  /** The log is durable up to there. Answered by `followed`, except with a question. */
  | { readonly kind: 'follow'; readonly figures: Figures }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly question: Question;
      /** What must have been seen before the answer. */
      readonly figures: Figures;
    }
  /** Somebody waits for the history of everything up to there. Not answered. */
  | { readonly kind: 'urge'; readonly figures: Figures }
  | { readonly kind: 'close' };

/** Where the archivist stands: a batch and its time. */
export type Progress = { readonly position: number; readonly time: number };

export type FromArchivist =
  /** First of all: the database was asked where its tables stand. With `refused` they are no use. */
  | { readonly kind: 'begun'; readonly refused?: string }
  | { readonly kind: 'history'; readonly figures: HistoryFigures }
  | { readonly kind: 'followed'; readonly progress: Progress }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  /** The question has no answer, but trading may go on. */
  | { readonly kind: 'unanswered'; readonly id: number; readonly message: string }
  | { readonly kind: 'report'; readonly message: string }
  /** Trading must stop. */
  | { readonly kind: 'fatal'; readonly message: string };
