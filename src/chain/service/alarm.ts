// What the operator must know of the chain. An alarm that stops payments is marked so; it follows
// from facts alone, so it ends when they do, and a start changes nothing. Those of sending stand
// until a transaction shows that they are over (createChainService.ts).

export type AlarmName =
  /** A round ended early; the next one begins as if nothing had been. */
  | 'roundFailed'
  /** Two nodes do not agree on a final block. No credits, no ends, no payments. */
  | 'noQuorum'
  /** For two minutes a node has given no answer, or failed at some. It has no vote meanwhile. */
  | 'nodeAway'
  /** For two minutes a node has been more than 100 blocks behind two others. */
  | 'nodeBehind'
  /** Within two minutes a node has said something else than two others of the same block. */
  | 'nodeDiffers'
  /** A node serves another chain or another contract; it has no vote. */
  | 'nodeIsForeign'
  /** The vault has fewer deposits or payments than the engine knows. Stops all. */
  | 'vaultBehind'
  /** The deposits are not those that the engine has counted. Stops all. */
  | 'depositsDiffer'
  /** The vault has paid more than the engine knows. Stops payments. */
  | 'paidUnknown'
  /** The vault knows an id with another recipient or amount. Stops payments, ends nothing. */
  | 'paidOtherwise'
  /**
   * The vault holds less than its deposits less its payments: its tokens were taken. Stops
   * payments, which would serve the first at the cost of the last.
   */
  | 'vaultShort'
  /** The engine does not accept what is true on the chain. Stops payments. */
  | 'engineRefuses'
  /** Guardians have paused the vault. */
  | 'vaultIsPaused'
  /** The exit is open: the vault pays no withdrawal any more. */
  | 'exitIsOpen'
  /** A signer gave no signature, or one that does not count. */
  | 'signerFails'
  /** Too few good signatures for a batch. */
  | 'signaturesTooFew'
  /** No node could compute the gas of a call: it would revert. */
  | 'callReverts'
  /** The gas account cannot pay for a transaction. */
  | 'gasAccountLow'
  /** A transaction would cost more than is allowed. */
  | 'feeCapReached'
  /** The newest right report is not the newest one: another key reports, or the log is another. */
  | 'reportWrong'
  /** Batches that no report covers: the log before was not there any more. */
  | 'reportGap'
  /** No node has the event of a report that the vault has counted. Stops the reports. */
  | 'reportUnread'
  /** What is to be reported could not be made or published. */
  | 'reportFails'
  /** For three periods no report has come into a block. */
  | 'reportLate'
  /** The log contradicts the vault's last anchor. A right one is sent in its place. */
  | 'anchorWrong'
  /** The last anchor names an earlier place of the log than one before it. */
  | 'anchorWentBack'
  /** Half of the time of silence has passed since the last anchor. Stops payments. */
  | 'anchorOld'
  /** Too few good signatures for an anchor. */
  | 'anchorUnsigned';

export type Alarm = {
  readonly name: AlarmName;
  /** The place of the node in the list, from 1, where the alarm is about one. */
  readonly node?: number;
  readonly detail: string;
};

/** Two alarms with the same title are about the same thing. */
export const titleOf = ({ name, node }: Alarm): string =>
  node === undefined ? name : `${name} ${node}`;

/** How a node of the chain stands: its place in the list, from 1, and its host. */
export type NodeFigures = {
  readonly place: number;
  readonly host: string;
  /** It serves another chain, or one of the alarms of nodes stands for it. */
  readonly isWrong: boolean;
};
