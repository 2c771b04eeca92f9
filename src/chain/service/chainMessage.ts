// What the trading thread and the thread of the chain service say to each other.

import type { Hex } from 'viem';
import type { TreeClaim, TreeJudgement } from '../../solvency/createTreeMaker.ts';
import type { AnchorStanding } from '../anchor/chooseAnchor.ts';
import type {
  ChainFact,
  EngineView,
  FactResult,
  OpenPart,
  OpenWithdrawal,
} from '../chainEngine.ts';
import type { LookedUp } from '../lookupNode.ts';
import type { Judgement, KeeperStanding, NextReport, Report } from '../report/report.ts';
import type { SignerSettings } from '../signers/createSigners.ts';
import type { Observation } from '../vaultNode.ts';
import type { Alarm, NodeFigures } from './alarm.ts';

/** What the thread is started with. The keys are of play money, or of gas. */
export type ChainSettings = {
  readonly chainId: number;
  readonly vault: Hex;
  /** The hash of the vault's code, to which the log is bound. */
  readonly codeHash: Hex;
  /** The block in which it was deployed. */
  readonly deployBlock: number;
  readonly urls: readonly string[];
  /** undefined: the service brings facts and pays nothing out. */
  readonly gasKey: Hex | undefined;
  readonly signers: readonly SignerSettings[];
  /** What each signer that checks here signs within an hour, and where that is kept. */
  readonly unitsPerHourMax: bigint;
  /** Of a stretch of trees (VLT-8), seconds. */
  readonly anchorInterval: number;
  readonly signedDirectory: string;
  /** The largest fee for a unit of gas, in the chain's smallest unit. */
  readonly maxFeeLimit: bigint;
};

/** What the thread asks of the engine. */
export type EngineQuestion =
  | { readonly kind: 'view'; readonly part: OpenPart }
  | { readonly kind: 'submit'; readonly facts: readonly ChainFact[] }
  | { readonly kind: 'openByIds'; readonly ids: readonly Hex[] }
  | { readonly kind: 'isConserved' }
  | { readonly kind: 'judgeReport'; readonly report: Report }
  | { readonly kind: 'isPublished'; readonly report: Report }
  | { readonly kind: 'newestTree' }
  | { readonly kind: 'judgeTree'; readonly claim: TreeClaim }
  | { readonly kind: 'judgeAnchor'; readonly claim: TreeClaim }
  | { readonly kind: 'nextReport'; readonly after: bigint; readonly sequence: bigint };

export type EngineAnswers = {
  readonly view: EngineView;
  readonly submit: readonly FactResult[];
  readonly openByIds: readonly (OpenWithdrawal | undefined)[];
  readonly isConserved: boolean;
  readonly judgeReport: Judgement;
  readonly isPublished: boolean;
  readonly nextReport: NextReport;
  readonly newestTree: TreeClaim | undefined;
  readonly judgeTree: TreeJudgement;
  readonly judgeAnchor: TreeJudgement;
};

export type ChainMessage =
  | { readonly kind: 'ask'; readonly id: number; readonly question: EngineQuestion }
  | {
      readonly kind: 'round';
      readonly block: Observation | undefined;
      /** Whether the engine knows all that the block says. */
      readonly isWhole: boolean;
      readonly facts: number;
      readonly hasSent: boolean;
      readonly keeper: KeeperStanding | undefined;
      readonly anchor: AnchorStanding | undefined;
      readonly nodes: readonly NodeFigures[];
      readonly alarms: readonly Alarm[];
    }
  | ({ readonly kind: 'lookedUp' } & LookedUp);

export type ToChainThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly message: string }
  | { readonly kind: 'stop' };
