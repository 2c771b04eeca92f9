// What a wallet gets when it leaves by the exit of a vault, and which calls of the contract remain.
// It computes as contracts/vault/VaultExit.sol does. It asks no node: rpc/readExit.ts does.

import { bytesToHex, type Hex } from 'viem';
import type { Proof } from '../../solvency/tree.ts';
import { formatTrimmed } from '../../units/decimal.ts';
import { moneyDecimals } from '../../units/units.ts';
import type { Anchor } from '../vaultTypes.ts';

/** Amounts are units of 1e-6, times are seconds. */
export type ExitState = {
  /** Of the block that was read. */
  readonly time: bigint;
  readonly anchor: Anchor;
  readonly anchoredAt: bigint;
  readonly silence: bigint;
  /** 0 while the exit is not open. */
  readonly openedAt: bigint;
  /** What the vault held when the exit opened and what all are due at most, or if it opened now. */
  readonly held: bigint;
  readonly owed: bigint;
  readonly wallets: readonly ExitWallet[];
};

export type ExitWallet = {
  readonly address: Hex;
  /** All that the vault ever paid to it before the exit, and the part after the last anchor. */
  readonly paid: bigint;
  readonly paidSince: bigint;
  readonly claim: Claim;
  /** Those that came after the anchor. */
  readonly deposits: readonly LateDeposit[];
};

/** As the contract has it. */
export type Claim = {
  readonly deposits: bigint;
  readonly leafUnits: bigint;
  readonly leafWithdrawn: bigint;
  readonly hasLeaf: boolean;
  readonly taken: bigint;
};

export type LateDeposit = {
  readonly index: bigint;
  readonly units: bigint;
  readonly isRegistered: boolean;
};

export type ExitStep = {
  readonly call: 'openExit' | 'registerLeaf' | 'registerDeposits' | 'collect';
  readonly args: readonly unknown[];
  /** For a person. */
  readonly does: string;
};

export type ExitPlan = {
  readonly leaf: bigint;
  readonly depositsSince: bigint;
  /** What was paid to the wallet after its leaf. */
  readonly paidSince: bigint;
  /** max(0, leaf + depositsSince − paidSince) */
  readonly due: bigint;
  /** What the wallet gets by these steps; all of them must be done in their order. */
  readonly collects: bigint;
  readonly steps: readonly ExitStep[];
};

export type ExitWish = {
  readonly vault: Hex;
  /** It is one of the state's, as all of `others` and the vault are. */
  readonly wallet: Hex;
  /** Wallets that are registered too, so that less is owed. */
  readonly others: readonly Hex[];
  readonly proofOf: (wallet: Hex) => Proof | undefined;
};

/** The end of the silence: the exit opens in a block after it. */
export const silentUntil = ({ anchoredAt, silence }: ExitState): bigint => anchoredAt + silence;

/** Whether the exit is open, or anyone may open it. */
export const canLeave = (state: ExitState): boolean =>
  state.openedAt > 0n || state.time > silentUntil(state);

export function planExit(state: ExitState, { vault, wallet, others, proofOf }: ExitWish): ExitPlan {
  const registered = (address: Hex): Registration => {
    const found = state.wallets.find((each) => each.address === address)!;
    return register(found, address === vault, proofOf(address));
  };
  const own = registered(wallet);
  const named = others.map(registered);
  const fund = registered(vault);
  const less = [own, ...named].reduce((sum, each) => sum + each.lowers, 0n);
  // The fund and the fees stand behind all accounts, but count until their leaf is there.
  const needsFund = state.owed - less > state.held && !others.includes(vault);
  const all = needsFund ? [own, ...named, fund] : [own, ...named];
  const owed = state.owed - less - (needsFund ? fund.lowers : 0n);
  const collects = shareOf(own.due, state.held, owed) - own.claim.taken;
  const steps = all.flatMap((each) => each.steps);
  if (state.openedAt === 0n) {
    steps.unshift({
      call: 'openExit',
      args: [],
      does: 'opens the exit, for everybody and for ever',
    });
  }
  if (collects > 0n) {
    const does = `pays ${usdt(collects)} USDT to ${wallet}`;
    steps.push({ call: 'collect', args: [wallet], does });
  }
  const { leafUnits: leaf, leafWithdrawn, deposits: depositsSince } = own.claim;
  const paidSince = own.paid - leafWithdrawn;
  return { leaf, depositsSince, paidSince, due: own.due, collects, steps };
}

/** due × min(1, held / owed), rounded down. */
export const shareOf = (due: bigint, held: bigint, owed: bigint): bigint =>
  owed > held ? (due * held) / owed : due;

export const usdt = (units: bigint): string => formatTrimmed(units, moneyDecimals);

/** The arguments of `registerLeaf`. */
export const leafArguments = ({ leaf, siblings }: Proof): readonly unknown[] => [
  bytesToHex(leaf.account),
  leaf.units,
  leaf.withdrawn,
  bytesToHex(leaf.salt),
  siblings.map(({ hash, sum, onLeft }) => ({ hash: bytesToHex(hash), sum, onLeft })),
];

type Registration = {
  readonly steps: readonly ExitStep[];
  /** The claim with all that can be registered, and what is due by it. */
  readonly claim: Claim;
  readonly due: bigint;
  readonly paid: bigint;
  /** By how much the steps make `owed` smaller. */
  readonly lowers: bigint;
};

/** Deposits of one transaction. */
const depositsPerStep = 100;

function register(wallet: ExitWallet, isFund: boolean, proof: Proof | undefined): Registration {
  const { address, paid, claim } = wallet;
  const steps: ExitStep[] = [];
  const next = { ...claim };
  if (proof !== undefined && !claim.hasLeaf) {
    const { units: leafUnits, withdrawn: leafWithdrawn } = proof.leaf;
    Object.assign(next, { leafUnits, leafWithdrawn, hasLeaf: true });
    const does = `registers that ${address} was owed ${usdt(leafUnits)} USDT at the anchor`;
    steps.push({ call: 'registerLeaf', args: leafArguments(proof), does });
  }
  const open = wallet.deposits.filter(({ isRegistered }) => !isRegistered);
  for (let from = 0; from < open.length; from += depositsPerStep) {
    const part = open.slice(from, from + depositsPerStep);
    const units = part.reduce((sum, each) => sum + each.units, 0n);
    next.deposits += units;
    const does = `registers ${usdt(units)} USDT that came in for ${address} after the anchor`;
    steps.push({ call: 'registerDeposits', args: [part.map(({ index }) => index)], does });
  }
  const added = next.leafUnits - claim.leafUnits + next.deposits - claim.deposits;
  const lowers = countedFor(wallet, claim, isFund) + added - countedFor(wallet, next, isFund);
  return { steps, claim: next, due: dueBy(wallet, next, isFund), paid, lowers };
}

function dueBy({ paid }: ExitWallet, claim: Claim, isFund: boolean): bigint {
  const credit = claim.deposits + claim.leafUnits + claim.leafWithdrawn;
  return isFund || credit < paid ? 0n : credit - paid;
}

/** What `owed` contains for the registered part of a wallet. */
function countedFor(wallet: ExitWallet, claim: Claim, isFund: boolean): bigint {
  if (claim.hasLeaf || isFund) return dueBy(wallet, claim, isFund);
  return claim.deposits > wallet.paidSince ? claim.deposits - wallet.paidSince : 0n;
}
