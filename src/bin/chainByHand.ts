// The actions of `evermark chain` that need no exchange: deploying a vault, and what its guardians
// and its administrator do by hand. They use nodes of the chain and a key of this machine. Keys and
// signers are in chainSigner.ts, payments in chainPay.ts, the way out of a user in chainExit.ts.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Hex } from 'viem';
import { readVaultSetup } from '../chain/vaultSetup.ts';
import { chains } from '../config.ts';
import { checkSpelling } from '../std/checksumAddress.ts';
import { chainExit, exitOptions } from './chainExit.ts';
import { chainPay, payOptions } from './chainPay.ts';
import { chainSigner, signerOptions } from './chainSigner.ts';
import type { VerbIo } from './operatorVerb.ts';
import { bytesOfId, isUuid, statesOf } from './statesOf.ts';
import { usageLine } from './usages.ts';
import { type Action, type Given, type Hand, withKey } from './withKey.ts';

const actions: Readonly<Record<string, Action>> = {
  signer: chainSigner,
  pay: chainPay,
  exit: chainExit,
  deploy: ({ words: [file, ...more], ...given }) =>
    file === undefined || more.length > 0 ? undefined : withKey(given, deploy(file)),
  pause: (given) => call(given, 'pause'),
  unpause: (given) => call(given, 'unpause'),
  cancel: (given) => call(given, 'cancel'),
};

export const isByHand = (action = ''): boolean => Object.hasOwn(actions, action);

/** Exit codes as those of runVerb. */
export async function runByHand(args: readonly string[], io: VerbIo): Promise<number> {
  const wrong = (message = ''): number => {
    if (message !== '') io.complain(message);
    io.complain(usageLine('chain'));
    return 2;
  };
  const names = ['rpc', 'key', ...signerOptions, ...payOptions, ...exitOptions];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action = '', ...words] = positionals;
    const given = values as Given['options'];
    const { rpc, key } = given;
    const asked = actions[action]?.({ words, rpc, key, options: given, io });
    if (asked === undefined) return wrong();
    const answer = await asked;
    if (answer !== undefined) io.print(JSON.stringify(answer, null, 2));
    return 0;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS')) return wrong(message);
    io.complain(message);
    return 1;
  }
}

/** The contracts are not audited, so real money is refused. */
const deploy =
  (path: string) =>
  async (hand: Hand): Promise<unknown> => {
    const { chainId } = hand;
    if (!testnets.includes(String(chainId))) {
      throw new Error(
        `A vault is deployed on testnets alone, ${testnets.join(' and ')}: its contracts are not ` +
          `audited, and these nodes serve chain ${chainId}.`,
      );
    }
    const [{ sendByHand }, { readArtifact }, { encodeDeployData }] = await Promise.all([
      import('../chain/rpc/sendByHand.ts'),
      import('../chain/artifact.ts'),
      import('viem'),
    ]);
    const setup = readVaultSetup(readFileSync(path, 'utf8'));
    const make = async (name: 'EvermarkVault' | 'TestUsdt', args: readonly unknown[]) => {
      const { abi, bytecode } = readArtifact(name);
      const data = encodeDeployData({ abi, bytecode, args });
      return sendByHand({ ...hand, data, abi });
    };
    const ofPlay = setup.token === 'test' ? await make('TestUsdt', [6]) : undefined;
    const token = ofPlay?.contract ?? setup.token;
    const made = await make('EvermarkVault', [{ ...setup, token }]).catch((error: Error) => {
      if (ofPlay === undefined) throw error;
      throw new Error(`${error.message}; the token of play money is there already, at ${token}`);
    });
    return {
      ...{ chain_id: chainId, vault: made.contract, token, block: made.block },
      ...{ transaction: made.transaction, gas_used: made.gasUsed + (ofPlay?.gasUsed ?? 0) },
      // An address of a node may hold a key, and is not repeated.
      bind: `evermark chain bind ${made.contract} --rpc URL,URL,URL --block ${made.block}`,
    };
  };

const testnets = Object.entries(chains)
  .filter(([, kind]) => kind === 'testnet')
  .map(([id]) => id);

/** A call of the vault: `VAULT`, and for `cancel` the ids of withdrawals. */
function call(
  { words: [vault = '', ...ids], ...given }: Given,
  name: 'pause' | 'unpause' | 'cancel',
): Promise<unknown> | undefined {
  const isVault = /^0x[0-9a-fA-F]{40}$/.test(vault);
  if (isVault) checkSpelling(vault);
  if (!isVault || !ids.every(isUuid) || (name === 'cancel') !== ids.length > 0) return undefined;
  return withKey(given, async (hand) => {
    const [{ sendByHand }, { readArtifact }, { encodeFunctionData }] = await Promise.all([
      import('../chain/rpc/sendByHand.ts'),
      import('../chain/artifact.ts'),
      import('viem'),
    ]);
    const { abi } = readArtifact('EvermarkVault');
    const args = name === 'cancel' ? [ids.map(bytesOfId)] : [];
    const data = encodeFunctionData({ abi, functionName: name, args });
    const sent = await sendByHand({ ...hand, to: vault.toLowerCase() as Hex, data, abi });
    const done = { transaction: sent.transaction, block: sent.block, gas_used: sent.gasUsed };
    if (name !== 'cancel') return done;
    // The contract passes over what is not queued.
    return { ...done, states: await statesOf(hand.urls, vault.toLowerCase() as Hex, ids) };
  });
}
