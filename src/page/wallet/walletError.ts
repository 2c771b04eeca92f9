// Why a wallet gave no login. The page says it in the person's language.

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
