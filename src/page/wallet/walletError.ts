// Why a wallet gave no login or no deposit. The page says it in the person's language.

export type WalletProblem =
  /** The person declined in the wallet. */
  | 'refused'
  /** The wallet did not answer in time. */
  | 'silent'
  /** The wallet stays on another chain. */
  | 'wrongChain'
  | 'noAccount'
  /** The wallet signs as another account than the one that is signed in. */
  | 'otherAccount'
  /** The wallet of the login is no longer in the browser. */
  | 'absent'
  /** The chain of the wallet has no such contract: it asks another network. */
  | 'noContract'
  /** The wallet did not send a transaction, most often because it cannot pay the gas. */
  | 'unsent'
  /** The chain has refused a transaction. */
  | 'reverted'
  /** A transaction was sent and is in no block yet. */
  | 'notMined'
  /** The wallet answered with what is no signature or address, or with another error. */
  | 'unusable';

export class WalletError extends Error {
  override name = 'WalletError';
  readonly problem: WalletProblem;

  constructor(problem: WalletProblem, detail = '') {
    super(`${problem} ${detail}`);
    this.problem = problem;
  }
}
