// What a first start does for a newcomer who typed `npm start`. It lists markets. On a testnet it
// also makes a house market maker, a crowd that trades, money in the insurance fund, and an account
// with money and a key to try things with. Every step first checks whether it was already done, so
// that the next start finishes a start that was killed.

import { readFileSync } from 'node:fs';
import type { Deployment } from '../api/deployment.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Client } from '../client/client.ts';
import { type Config, ConfigError, chains } from '../config.ts';
import { type Account, type ApiKey, apiKeysOf } from '../engine/views/account.ts';
import {
  accountById,
  apiKeyByText,
  creditByReference,
  marketBySymbol,
  marketsOf,
} from '../engine/views/exchange.ts';
import { vaultOf } from '../engine/views/vault.ts';
import { demoMarkets } from '../feeds/demoMarkets.ts';
import { must } from '../std/assert.ts';
import { normalizeSymbol } from '../units/symbol.ts';

export type PrepareDemo = {
  readonly config: Config;
  readonly deployment: Deployment;
  readonly operator: Client['operator'];
};

export type HouseKey = {
  readonly address: string;
  readonly apiKey: string;
  readonly secret: string;
};

export type Prepared = {
  /** Of the house market maker; undefined on a mainnet and when the operator does not want it. */
  readonly maker: HouseKey | undefined;
  /** Of the crowd; empty without a market maker, without a demo, and on a mainnet. */
  readonly crowd: readonly HouseKey[];
  /** Of the demo account; undefined on a mainnet and when the operator does not want it. */
  readonly demo: HouseKey | undefined;
};

const makerAmount = '10000000';
const crowdAmount = '2000000';
const crowdSize = 4;
const demoAmount = '100000';
/** What the insurance fund starts with; the brackets of the demo's markets fit it (OPS-7). */
export const fundCredit = { reference: 'demo-insurance-fund', amount: '1000000' };

export async function prepareDemo(options: PrepareDemo): Promise<Prepared> {
  const { config, deployment } = options;
  await listMarkets(options);
  // Money without a deposit is for testnets without a vault: elsewhere no account gets any.
  const isVaulted = config.vault !== '' || vaultOf(deployment.exchange) !== undefined;
  const testnet = chains[config.chain] === 'testnet' && !isVaulted;
  const maker =
    config.marketMaker && testnet
      ? await openKey(options, { reference: 'house-market-maker', amount: makerAmount })
      : undefined;
  if (maker !== undefined) await flagHouse(options, maker);
  if (config.demo && testnet) await creditFund(options);
  const demo =
    config.demo && testnet
      ? await openKey(options, { reference: 'demo-account', amount: demoAmount })
      : undefined;
  const crowd: HouseKey[] = [];
  for (
    let member = 1;
    maker !== undefined && demo !== undefined && member <= crowdSize;
    member += 1
  ) {
    crowd.push(await openKey(options, { reference: `demo-crowd-${member}`, amount: crowdAmount }));
  }
  return { maker, crowd, demo };
}

async function creditFund({ deployment, operator }: PrepareDemo): Promise<void> {
  if (creditByReference(deployment.exchange, fundCredit.reference) === undefined) {
    await operator.creditInsurance(fundCredit);
  }
}

async function flagHouse({ deployment, operator }: PrepareDemo, maker: HouseKey): Promise<void> {
  const { exchange } = deployment;
  const key = must(apiKeyByText(exchange, maker.apiKey), 'the maker has its key');
  if (!accountById(exchange, key.account)!.house) {
    await operator.changeAccount({ address: maker.address, house: true });
  }
  if (key.rateTier !== 'house') {
    await operator.changeApiKey({ api_key: maker.apiKey, rate_tier: 'house' });
  }
}

// Lists every market of a file that is not listed yet. A start that stopped at a bad record
// continues with it when the operator has corrected the record.
async function listMarkets({ config, deployment, operator }: PrepareDemo): Promise<void> {
  const { exchange } = deployment;
  if (config.markets === '') {
    // Which markets carry real money is the operator's to say.
    if (marketsOf(exchange).length > 0 || chains[config.chain] === 'mainnet') return;
    for (const record of demoMarkets('manual')) {
      const [source] = deployment.indexSourcesOf(record.symbol);
      const index_sources = [{ source, weight: 1 }];
      await operator.listMarket({ ...record, index_sources } as never);
    }
    return;
  }
  for (const [index, record] of readMarkets(config.markets).entries()) {
    const { symbol } = (record ?? {}) as { readonly symbol?: unknown };
    if (marketBySymbol(exchange, normalizeSymbol(String(symbol))) !== undefined) continue;
    try {
      await operator.listMarket(record as never);
    } catch (error) {
      const place = `record ${index + 1} of ${config.markets}`;
      throw new ConfigError(`The market in ${place} cannot be listed: ${String(error)}`);
    }
  }
}

function readMarkets(path: string): readonly unknown[] {
  try {
    const records: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(records)) return records;
  } catch (error) {
    throw new ConfigError(`The markets cannot be read: ${(error as Error).message}`);
  }
  throw new ConfigError(`${path} must hold a JSON array of market records.`);
}

/** The account that this credit made, with its first key; both are made when they are missing. */
async function openKey(
  { deployment, operator }: PrepareDemo,
  credit: { readonly reference: string; readonly amount: string },
): Promise<HouseKey> {
  const { exchange, randomBytes } = deployment;
  if (creditByReference(exchange, credit.reference) === undefined) {
    // There is no key of this wallet: the account is reached by its API key alone.
    const address = `0x${randomBytes(20).toString('hex')}`;
    await operator.creditAccount({ address, ...credit });
  }
  const record = must(
    creditByReference(exchange, credit.reference),
    'the credit was just recorded',
  );
  const account = must(accountById(exchange, record.account), 'a credit has its account');
  // A secret store that was lost took its secrets along: such a key is as good as none.
  const present = apiKeysOf(account).find(
    ({ status, apiKey }) => status === 'active' && deployment.keys.secretOf(apiKey) !== undefined,
  );
  const key = present ?? (await createKey(deployment, account, credit.reference));
  const secret = must(
    deployment.keys.secretOf(key.apiKey),
    'the secret store has the secret of a key',
  );
  return { address: account.address, apiKey: key.apiKey, secret };
}

async function createKey(
  { keys, perform, randomBytes, exchange }: Deployment,
  account: Account,
  label: string,
): Promise<ApiKey> {
  const apiKey = randomBytes(32).toString('hex');
  const secret = randomBytes(32).toString('hex');
  const profile = await keys.createKeyRecord({ apiKey, secret, label, ipWhitelist: '' });
  const done = await perform(
    { kind: 'createApiKey', account: account.id, apiKey, profile },
    'reserve',
    ({ kind }) => ({ made: kind === 'accepted' }),
  );
  if (isRefusal(done) || !done.made) throw new Error(`No API key could be made for ${label}.`);
  return must(apiKeyByText(exchange, apiKey), 'the key was just created');
}
