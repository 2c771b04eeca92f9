// What a chain service is made of: its ports and its settings. It lives here and not beside the
// service, because the parts of the service take it too.

import type { Hex } from 'viem';
import type { AnchorSource } from '../anchor/chooseAnchor.ts';
import type { ChainEngine } from '../chainEngine.ts';
import type { ChainRule } from '../finalNumber.ts';
import type { KnownBlock } from '../lookupNode.ts';
import type { ReportSource } from '../report/report.ts';
import type { Signer } from '../signers/signer.ts';
import type { VaultCall, VaultNode } from '../vaultNode.ts';
import type { ReadSigner } from './gatherSignatures.ts';
import type { Fees } from './planFees.ts';

/** A transaction of the gas account, which has no right at the vault but to report. */
export type GasTransaction = {
  readonly call: VaultCall;
  readonly nonce: number;
  readonly gas: bigint;
  readonly fees: Fees;
};

export type GasAccount = {
  readonly address: Hex;
  /** The signed transaction as nodes take it. */
  readonly sign: (transaction: GasTransaction) => Promise<Hex>;
};

export type ChainParts = {
  readonly rule: ChainRule;
  /** The hash of the vault's code, to which the log is bound. */
  readonly codeHash: Hex;
  readonly nodes: readonly VaultNode[];
  readonly engine: ChainEngine;
  readonly signers: readonly Signer[];
  readonly readSigner: ReadSigner;
  /** undefined: it brings facts to the engine and sends nothing to the vault. */
  readonly gasAccount: GasAccount | undefined;
  /** The largest fee for each unit of gas, in the chain's smallest unit. */
  readonly maxFeeLimit: bigint;
  readonly paymentsPerBatchMax: number;
  /** undefined: it sends no anchors. */
  readonly anchors?: AnchorSource;
  /** undefined: it sends no reports of the keeper. */
  readonly reports?: {
    readonly source: ReportSource;
    /** The vault's first block. */
    readonly deployBlock: bigint;
  };
  /** Called with the final block before its facts reach the engine; must not reject. */
  readonly lookUp?: (block: KnownBlock) => Promise<void>;
};
