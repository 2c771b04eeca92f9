// A chain service's parts with real nodes and keys on a local chain, over the engine that the
// simulation drives: of a test and of the benchmark.

import { type Hex, keccak256 } from 'viem';
import { chainId } from '../../contracts/openLocalChain.ts';
import type { Vault } from '../../contracts/openVault.ts';
import { createSimulatedEngine, type SimulatedEngine } from '../../sim/chain/simulatedEngine.ts';
import { chainRuleOf } from '../../src/chain/finalNumber.ts';
import { createRpcNode } from '../../src/chain/rpc/createRpcNode.ts';
import type { ChainParts } from '../../src/chain/service/chainParts.ts';
import { createCheck } from '../../src/chain/signers/createCheck.ts';
import {
  createGasAccount,
  createLocalSigner,
  createReadSigner,
} from '../../src/chain/signers/createLocalSigner.ts';
import { gasKey, giveCoins, signerKeys } from './chainKeys.ts';

const anchors = { load: () => undefined, save: () => {} };
const noStore = { load: () => [], append: () => {} };

export type EngineParts = { readonly engine: SimulatedEngine; readonly parts: ChainParts };

/** The cap of each signer, in units. */
export async function createChainParts(
  { chain, vault }: Vault,
  unitsPerHourMax = 100_000_000n,
): Promise<EngineParts> {
  const rule = chainRuleOf(chainId);
  const place = { chainId, vault: vault.address };
  const engine = createSimulatedEngine();
  const replica = {
    openByIds: async (ids: readonly Hex[]) => engine.openByIds(ids),
    isConserved: async () => true,
    judgeTree: async () => 'unknown' as const,
  };
  const now = (): bigint => 0n;
  await giveCoins(chain);
  const code = (await chain.ask('eth_getCode', vault.address, 'latest')) as Hex;
  const parts: ChainParts = {
    rule,
    codeHash: keccak256(code),
    nodes: [1, 2, 3].map(() => createRpcNode({ url: chain.url, vault: vault.address })),
    engine: {
      view: async (part) => engine.view(part),
      submit: async (facts) => engine.submit(facts),
    },
    signers: signerKeys.map((key) =>
      createLocalSigner({
        ...{ rule, place, key, now },
        check: createCheck({ replica, unitsPerHourMax, store: noStore, anchors, interval: 1n }),
      }),
    ),
    readSigner: createReadSigner(place),
    gasAccount: createGasAccount(place, gasKey),
    maxFeeLimit: 10n ** 10n,
    paymentsPerBatchMax: 200,
  };
  return { engine, parts };
}
