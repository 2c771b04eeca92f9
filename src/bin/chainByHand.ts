// The actions of `evermark chain` that need no exchange: deploying a vault, what its guardians and
// its administrator do by hand, and keys. They use nodes of the chain and a key of this machine.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Hex } from 'viem';
import { checkSpelling, readVaultSetup } from '../chain/vaultSetup.ts';
import { chains } from '../config.ts';
import { addressOf, readKeyFile } from './openChain.ts';
import type { VerbIo } from './operatorVerb.ts';
import { usageLine } from './usages.ts';

/** Without the action itself. */
type Given = {
  readonly words: readonly string[];
  readonly rpc: string | undefined;
  readonly key: string | undefined;
};

/** Gives what is printed; undefined when the arguments do not match the usage. */
type Action = (given: Given) => Promise<unknown> | undefined;

const actions: Readonly<Record<string, Action>> = {
  signer: ({ words: [action, path, ...more] }) =>
    action === undefined || path === undefined || more.length > 0
      ? undefined
      : signer(action, path),
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
  const options = { rpc: { type: 'string' }, key: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action = '', ...words] = positionals;
    const { rpc, key } = values;
    const asked = actions[action]?.({ words, rpc, key });
    if (asked === undefined) return wrong();
    io.print(JSON.stringify(await asked, null, 2));
    return 0;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS')) return wrong(message);
    io.complain(message);
    return 1;
  }
}

/** A key in a file that only its owner may read; it prints the address alone. */
function signer(action: string, path: string): Promise<unknown> | undefined {
  if (action === 'new') {
    const key = `0x${randomBytes(32).toString('hex')}`;
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
  } else if (action !== 'show') return undefined;
  return addressOf(readKeyFile(path)).then((address) => ({ address }));
}

type Hand = { readonly urls: readonly string[]; readonly chainId: number; readonly key: Hex };

function withKey(
  { rpc, key }: Pick<Given, 'rpc' | 'key'>,
  act: (hand: Hand) => Promise<unknown>,
): Promise<unknown> | undefined {
  if (rpc === undefined || key === undefined) return undefined;
  const urls = rpc.split(',');
  const read = readKeyFile(key);
  return import('../chain/rpc/sendByHand.ts')
    .then(({ readChainId }) => readChainId(urls))
    .then((chainId) => act({ urls, chainId, key: read }));
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

async function statesOf(urls: readonly string[], vault: Hex, ids: readonly string[]) {
  const { createRpcNode } = await import('../chain/rpc/createRpcNode.ts');
  const read = async (url: string): Promise<Readonly<Record<string, string>>> => {
    const node = createRpcNode({ url, vault });
    const { hash } = await node.observe((await node.heads()).latest);
    const found = await node.payments(hash, ids.map(bytesOfId));
    return Object.fromEntries(ids.map((id, at) => [id, found[at]?.state ?? 'unknown']));
  };
  return Promise.any(urls.map(read)).catch(() => 'no node says what became of them');
}

const bytesOfId = (id: string): Hex => `0x${id.replaceAll('-', '')}`;

const isUuid = (id: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);
