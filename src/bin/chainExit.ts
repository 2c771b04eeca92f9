// `evermark chain exit`: a wallet leaves by the exit of its vault. It uses the published file of a
// tree, or a saved proof, and nodes of the chain: no exchange, and no data directory. Without a key
// it prints the transactions that any wallet can send; with one it sends them. What each gets is in
// planExit.ts.

import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import type { ExitPlan, ExitState, ExitWish } from '../chain/exit/planExit.ts';
import { readNodeUrls } from '../chain/nodeUrls.ts';
import { claimDifferences } from '../solvency/claimDifferences.ts';
import { type Evidence, readEvidence } from '../solvency/readEvidence.ts';
import { TreeDamaged } from '../solvency/treeDamaged.ts';
import { checkSpelling } from '../std/checksumAddress.ts';
import { readKeyFile } from './readSigner.ts';
import type { Action } from './withKey.ts';

export const exitOptions = ['vault', 'wallet', 'register'] as const;

/** Wallets of one call: each is up to two transactions and three questions. */
const othersMax = 100;

type Leaving = {
  readonly file: string;
  readonly urls: readonly string[];
  readonly vault: Hex;
  readonly wallet: Hex;
  readonly others: readonly Hex[];
  readonly key: Hex | undefined;
  readonly complain: (message: string) => void;
};

export const chainExit: Action = ({ words: [file, ...more], rpc, key, options, io }) => {
  const { vault = '', wallet = '', register } = options;
  const named = register?.split(',') ?? [];
  if (file === undefined || more.length > 0 || rpc === undefined) return undefined;
  if (![vault, wallet, ...named].every((each) => /^0x[0-9a-fA-F]{40}$/.test(each)))
    return undefined;
  const [own, contract, ...listed] = [wallet, vault, ...named].map((each) => {
    checkSpelling(each);
    return each.toLowerCase() as Hex;
  }) as [Hex, Hex, ...Hex[]];
  const others = [...new Set(listed)].filter((each) => each !== own);
  if (others.length > othersMax) throw new Error(`at most ${othersMax} wallets are registered`);
  if (own === contract) {
    throw new Error('this is the vault: the insurance fund behind all accounts is due nothing');
  }
  return leave({
    ...{ file, urls: readNodeUrls(rpc), vault: contract, wallet: own, others },
    key: key === undefined ? undefined : readKeyFile(key),
    complain: io.complain,
  });
};

type Parts = Awaited<ReturnType<typeof loadParts>>;

/** viem is loaded only where a chain is asked. */
async function loadParts() {
  const [plan, read, send, { claimOfAnchor }, artifact, viem] = await Promise.all([
    import('../chain/exit/planExit.ts'),
    import('../chain/rpc/readExit.ts'),
    import('../chain/rpc/sendByHand.ts'),
    import('../chain/anchor/anchorOf.ts'),
    import('../chain/artifact.ts'),
    import('viem'),
  ]);
  const { abi } = artifact.readArtifact('EvermarkVault');
  const { encodeFunctionData } = viem;
  return { ...plan, ...read, ...send, claimOfAnchor, abi, encodeFunctionData };
}

async function leave(leaving: Leaving): Promise<unknown> {
  const { urls, vault, wallet, others } = leaving;
  const evidence = readKept(readFileSync(leaving.file));
  const parts = await loadParts();
  const chainId = await parts.readChainId(urls);
  const { proofOf } = evidence;
  if (evidence.chainId !== chainId || evidence.vault !== vault) {
    throw new Error(
      `the file is of the vault ${evidence.vault} on chain ${evidence.chainId}, and not of ` +
        `${vault} on chain ${chainId}, which these nodes serve`,
    );
  }
  const read = () => parts.readExit(urls, vault, [...new Set([wallet, ...others, vault])]);
  const state = await read();
  checkAnchor(parts, leaving, state, evidence);
  const wish = { vault, wallet, others, proofOf };
  checkKnown(state, wish);
  const plan = parts.planExit(state, wish);
  const show = (seen: ExitState, now: ExitPlan) => ({
    ...{ chain_id: chainId, vault, wallet },
    ...shown(parts, wallet, seen, now),
  });
  if (parts.canLeave(state)) checkGain(parts, leaving, state, plan);
  if (leaving.key !== undefined) {
    if (!parts.canLeave(state)) throw new Error(notSilent(parts, state));
    const sent = await sendAll(parts, leaving, { chainId, key: leaving.key }, plan);
    const after = await read();
    return { ...show(after, parts.planExit(after, wish)), sent };
  }
  const steps = parts.canLeave(state) ? plan.steps : [];
  const transactions = steps.map(({ call, args, does }) => ({
    ...{ to: vault, data: dataOf(parts, call, args), does },
  }));
  return { ...show(state, plan), transactions };
}

const dataOf = (
  { abi, encodeFunctionData }: Parts,
  functionName: string,
  args: readonly unknown[],
) => encodeFunctionData({ abi, functionName, args });

function readKept(bytes: Buffer): Evidence {
  try {
    return readEvidence(bytes);
  } catch (error) {
    if (!(error instanceof TreeDamaged)) throw error;
    throw new Error(`the file of the tree is damaged: ${error.message}; get another copy of it`);
  }
}

const dateOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString();

/** Only the root and the sum decide what the contract accepts; other differences are said. */
function checkAnchor(
  { claimOfAnchor }: Parts,
  { complain }: Leaving,
  { anchor, anchoredAt }: ExitState,
  { claim }: Evidence,
): void {
  if (anchor.epoch === 0n) throw new Error('the vault has no anchor, so its exit never opens');
  if (anchor.treeHash !== `0x${claim.fileHash}`) {
    throw new Error(
      `this is the tree of batch ${claim.position}, and not the file that the last anchor ` +
        `names: that is the tree of batch ${anchor.logPosition}, anchored at ` +
        `${dateOf(anchoredAt)}, whose SHA-256 is ${anchor.treeHash}`,
    );
  }
  const differences = claimDifferences(claimOfAnchor(anchor), claim);
  if (anchor.root !== `0x${claim.root}` || anchor.sum !== claim.sum) {
    throw new Error(`the anchor is not of the tree that it names: ${differences.join('; ')}`);
  }
  for (const each of differences) complain(`the anchor differs from its own tree: ${each}`);
}

function checkKnown(state: ExitState, { wallet, others, proofOf }: ExitWish): void {
  for (const each of [wallet, ...others]) {
    const { deposits } = state.wallets.find(({ address }) => address === each)!;
    if (deposits.length > 0 || proofOf(each) !== undefined) continue;
    throw new Error(`${each} has no leaf in this tree and no deposit after its anchor`);
  }
}

/** A wallet that gets nothing sends nothing, unless it registers others. */
function checkGain(
  { usdt }: Parts,
  { wallet, others }: Leaving,
  state: ExitState,
  { leaf, depositsSince, paidSince, due, collects }: ExitPlan,
): void {
  const { taken } = state.wallets.find(({ address }) => address === wallet)!.claim;
  if (collects > 0n || others.length > 0 || taken > 0n) return;
  throw new Error(
    `there is nothing to collect: ${wallet} is due ${usdt(due)} USDT (${usdt(leaf)} in its leaf ` +
      `+ ${usdt(depositsSince)} deposited since − ${usdt(paidSince)} paid since), and the vault ` +
      `held ${usdt(state.held)}`,
  );
}

function notSilent({ silentUntil }: Parts, state: ExitState): string {
  return (
    `the exit is not open: an anchor came at ${dateOf(state.anchoredAt)}, and without another ` +
    `one it may be opened after ${dateOf(silentUntil(state))}`
  );
}

/** One after another: each waits until it is in a block, so that the next one can be tried. */
async function sendAll(
  parts: Parts,
  { urls, vault, complain }: Leaving,
  hand: { readonly chainId: number; readonly key: Hex },
  { steps }: ExitPlan,
): Promise<unknown[]> {
  const { abi } = parts;
  const sent: unknown[] = [];
  for (const { call, args, does } of steps) {
    const data = dataOf(parts, call, args);
    const done = await parts.sendByHand({ urls, ...hand, to: vault, data, abi });
    const { transaction, block, gasUsed } = done;
    // A later one may fail: what is done is said at once.
    complain(`${does}: ${transaction}`);
    sent.push({ does, transaction, block, gas_used: gasUsed });
  }
  return sent;
}

function shown(
  { usdt, shareOf, silentUntil }: Parts,
  wallet: Hex,
  state: ExitState,
  { leaf, depositsSince, paidSince, due, collects }: ExitPlan,
) {
  const { anchor, anchoredAt, openedAt, held, owed } = state;
  const { taken } = state.wallets.find(({ address }) => address === wallet)!.claim;
  return {
    anchor: {
      ...{ epoch: Number(anchor.epoch), log_position: Number(anchor.logPosition) },
      accepted_at: dateOf(anchoredAt),
    },
    exit: {
      opens_after: dateOf(silentUntil(state)),
      opened_at: openedAt === 0n ? null : dateOf(openedAt),
      ...{ held: usdt(held), owed: usdt(owed), share: usdt(shareOf(1_000_000n, held, owed)) },
    },
    ...{ leaf: usdt(leaf), deposits_since: usdt(depositsSince), paid_since: usdt(paidSince) },
    ...{ due: usdt(due), collected: usdt(taken), collects: usdt(collects) },
  };
}
