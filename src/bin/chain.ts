// `evermark chain`: shows the vault and the chain service, binds the log to a vault, and sets the
// terms of withdrawals, all in a running exchange. What needs none is in chainByHand.ts.

import type { Hex } from 'viem';
import { readNodeUrls } from '../chain/nodeUrls.ts';
import type { Client } from '../client/client.ts';
import { checkSpelling } from '../std/checksumAddress.ts';
import { isByHand, runByHand } from './chainByHand.ts';
import { runVerb, type VerbIo } from './operatorVerb.ts';

type Options = Readonly<Record<string, string | undefined>>;

export function runChain(args: readonly string[], io: VerbIo): Promise<number> {
  if (isByHand(args[0])) return runByHand(args, io);
  return runVerb(
    {
      name: 'chain',
      options: ['rpc', 'block', 'min', 'fee'],
      ask: ({ operator, words, options }) => {
        const [action, first, ...more] = words;
        if (more.length > 0) return undefined;
        switch (action) {
          case undefined:
          case 'status':
            return first === undefined ? operator.getOperatorVault() : undefined;
          case 'bind':
            return bind(operator, first, options);
          case 'terms':
            return first === undefined ? setTerms(operator, options) : undefined;
          default:
            return undefined;
        }
      },
    },
    args,
    io,
  );
}

/** Reads token, decimals and code from the chain, and binds the log. */
function bind(
  operator: Client['operator'],
  address: string | undefined,
  { rpc, block }: Options,
): Promise<unknown> | undefined {
  if (address === undefined || rpc === undefined || !/^\d{1,15}$/.test(block ?? ''))
    return undefined;
  checkSpelling(address);
  return bindTo(operator, { address: address.toLowerCase() as Hex, rpc, block: Number(block) });
}

type Binding = { readonly address: Hex; readonly rpc: string; readonly block: number };

async function bindTo(
  operator: Client['operator'],
  { address, rpc, block }: Binding,
): Promise<unknown> {
  const { readVault, checkDeployBlock } = await import('../chain/rpc/readVault.ts');
  const urls = readNodeUrls(rpc);
  const { chainId, token, tokenDecimals, codeHash } = await readVault(urls, address);
  await checkDeployBlock(urls, address, block);
  return operator.bindVault({
    ...{ chain_id: chainId, address, token, token_decimals: tokenDecimals },
    ...{ code_hash: codeHash, deploy_block: block },
  });
}

function setTerms(operator: Client['operator'], { min, fee }: Options): Promise<unknown> {
  return operator.setWithdrawalTerms({
    ...(min === undefined ? {} : { min }),
    ...(fee === undefined ? {} : { fee }),
  });
}
