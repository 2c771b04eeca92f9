// Mistakes that an author of the vault could make, each with the test that must notice it. It
// compiles none of them: see tryMutants.ts.

export type Mutant = {
  /** The file below contracts/vault. */
  readonly file: string;
  /** Text that is in the file once, and what stands there by mistake. */
  readonly right: string;
  readonly wrong: string;
  /** The file of tests, and words of the title of one that fails. */
  readonly test: readonly [file: 'deposits' | 'payments' | 'exit', title: string];
  /** Random calls do not notice it: it takes a chosen limit of gas, or a forged tree. */
  readonly isBeyondForge?: true;
};

export const mutants: readonly Mutant[] = [
  {
    file: 'VaultSigners.sol',
    right: 'if (signer <= before) revert SignersNotAscending(signer);',
    wrong: '',
    test: ['payments', 'nothing moves without k'],
  },
  {
    file: 'VaultSigners.sol',
    right: 'if (!isSigner[signer]) revert SignerUnknown(signer);',
    wrong: '',
    test: ['payments', 'nothing moves without k'],
  },
  {
    file: 'VaultSigners.sol',
    right: 'if (length < threshold)',
    wrong: 'if (length + 1 < threshold)',
    test: ['payments', 'nothing moves without k'],
  },
  {
    file: 'VaultSigners.sol',
    right: 'isSigner[_signers[i]] = false;',
    wrong: '_signers[i];',
    test: ['payments', 'a signer that is removed'],
  },
  {
    file: 'VaultLedger.sol',
    right: 'if (received != amount) revert TokenTookFee(received, amount);',
    wrong: '',
    test: ['deposits', 'of a token that takes a fee'],
  },
  {
    file: 'VaultLedger.sol',
    right: 'wallet.paidBefore = wallet.paid;',
    wrong: 'wallet.paidBefore = 0;',
    test: ['exit', 'everybody is made whole'],
  },
  {
    file: 'VaultPayments.sol',
    right: 'withdrawalOf[id].state != State.None || ',
    wrong: '',
    test: ['payments', 'an id is paid once'],
  },
  {
    file: 'VaultPayments.sol',
    right: 'block.timestamp > payment.deadline',
    wrong: 'block.timestamp > payment.deadline + 1',
    test: ['payments', 'a deadline that has passed'],
  },
  {
    file: 'VaultPayments.sol',
    right: 'block.timestamp < place.readyAt',
    wrong: 'block.timestamp + 1 < place.readyAt',
    test: ['payments', 'what exceeds the bucket'],
  },
  {
    file: 'VaultPayments.sol',
    right: 'if (gasleft() < (TRANSFER_GAS * 64) / 63 + 60_000) revert GasTooLow();',
    wrong: '',
    test: ['payments', 'a caller cannot make a payment fail'],
    isBeyondForge: true,
  },
  {
    file: 'VaultPayments.sol',
    right: 'if (!_send(id, payment.to, units)) _setBucket(level);',
    wrong: '_send(id, payment.to, units);',
    test: ['payments', 'a recipient that cannot receive'],
  },
  {
    file: 'VaultPayments.sol',
    right: 'if (token.balanceOf(to) != before + amount) revert RecipientGotLess();',
    wrong: '',
    test: ['payments', 'a token that takes a fee or is paused'],
  },
  {
    file: 'VaultPayments.sol',
    right: 'if (msg.sender != address(this)) revert OnlyVault();',
    wrong: '',
    test: ['payments', 'limits are bounded'],
  },
  {
    file: 'VaultPayments.sol',
    right: 'if (withdrawalOf[id].state != State.Queued) return;',
    wrong: 'if (withdrawalOf[id].state == State.None) return;',
    test: ['payments', 'a cancelled or voided payment'],
  },
  {
    file: 'VaultPayments.sol',
    right: '/ 1 days;',
    wrong: '/ 12 hours;',
    test: ['payments', 'at most twice the bucket'],
  },
  {
    file: 'VaultAnchors.sol',
    right:
      'if (uint256(next.sum) + next.withdrawn != came + next.deficit) revert AnchorUnbalanced();',
    wrong: '',
    test: ['exit', 'an anchor has the next epoch'],
  },
  {
    file: 'VaultExit.sol',
    right: '|| sum != _anchor.sum',
    wrong: '',
    test: ['exit', 'a tree that owes more'],
    isBeyondForge: true,
  },
  {
    file: 'VaultExit.sol',
    right: 'if (claim.hasLeaf) revert LeafKnown(account);',
    wrong: '',
    test: ['exit', 'a forged proof'],
  },
  {
    file: 'VaultExit.sol',
    right: '_registered.set(index);',
    wrong: '',
    test: ['exit', 'everybody is made whole'],
  },
  {
    file: 'VaultExit.sol',
    right: 'return Math.saturatingSub(credit, walletOf[account].paid);',
    wrong: 'return credit;',
    test: ['exit', 'an account that was paid more'],
  },
  {
    file: 'VaultExit.sol',
    right: 'claimOf[account].taken += units;',
    wrong: '',
    test: ['exit', 'everybody is made whole'],
  },
  {
    file: 'VaultExit.sol',
    right:
      'if (withdrawn > walletOf[account].paid - paidSince(account)) revert LeafInvalid(account);',
    wrong: '',
    test: ['exit', 'a leaf that claims more payments'],
    isBeyondForge: true,
  },
  {
    file: 'VaultExit.sol',
    right: 'if (block.timestamp <= until) revert NotSilent(until);',
    wrong: 'if (block.timestamp < until) revert NotSilent(until);',
    test: ['exit', 'the exit opens after silence alone'],
  },
  {
    file: 'VaultExit.sol',
    right: 'if (account == address(this)) return 0;',
    wrong: '',
    test: ['exit', 'the insurance fund stands behind'],
  },
  {
    file: 'VaultExit.sol',
    right: 'if (exitOwed > exitHeld) due',
    wrong: 'due',
    test: ['exit', 'the insurance fund stands behind'],
  },
];
