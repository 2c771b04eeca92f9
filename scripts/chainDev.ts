// `npm run chain:dev`: a chain of this machine, a vault on it, and an exchange whose money lies
// there, for development. It makes a new deployment each time, in a temporary directory, with three
// signers of which two must sign, binds it, and gives three wallets tokens, coins and a first
// deposit. Their keys are known to everybody: nothing here is for real money.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Hex, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { openLocalChain } from '../contracts/openLocalChain.ts';
import { openVault } from '../contracts/openVault.ts';

const program = join(import.meta.dirname, '../src/bin/evermark.ts');
const million = 1_000_000n;
/** Two blocks a second: a deposit is final after some three seconds. */
const blockMs = 500;
const coins = '0x3635c9adc5dea00000';
const keyOf = (name: string): Hex => keccak256(toHex(name));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const root = mkdtempSync(join(tmpdir(), 'evermark-chain-'));
const chain = await openLocalChain();
const stage = await openVault(chain, { bucketCapacity: 10n ** 15n, instantMax: 10n ** 12n });
const { vault, token } = stage;
const mining = setInterval(() => void chain.ask('anvil_mine', '0x1').catch(() => {}), blockMs);

const keys = join(root, 'keys');
mkdirSync(keys);
const writeKey = (name: string): string => {
  writeFileSync(join(keys, name), `${keyOf(name)}\n`, { mode: 0o600 });
  return join(keys, name);
};
// Of these eight, the vault knows the three with the lowest addresses.
const signers = Array.from({ length: 8 }, (_, at) => writeKey(`signer ${at}`));
const gas = writeKey('gas');
await chain.ask('anvil_setBalance', privateKeyToAccount(keyOf('gas')).address, coins);

const urls = [1, 2, 3].map((place) => `${chain.url}/?${place}`).join(',');
const data = join(root, 'data');
const evermark = (words: readonly string[], stdio: 'inherit' | 'pipe' = 'inherit') =>
  spawn(process.execPath, [program, ...words], { stdio: ['ignore', stdio, 'inherit'] });
const exchange = evermark(
  [
    ...['start', '--data', data, ...process.argv.slice(2)],
    ...['--vault', vault.address, '--rpc', urls, '--anchor-interval', '60'],
    ...['--gas-key', gas, '--signer-keys', signers.join(',')],
  ],
  'pipe',
);
const ended = once(exchange, 'exit');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => exchange.kill('SIGTERM'));
}

for await (const line of createInterface({ input: exchange.stdout! })) {
  say(line);
  const operator = /^evermark ready .* operator=(\S+)$/.exec(line)?.[1];
  if (operator !== undefined) await bindAndFund(operator);
}
await ended;
clearInterval(mining);
await chain.close();
rmSync(root, { recursive: true, force: true });

async function bindAndFund(operator: string): Promise<void> {
  const binding = ['chain', 'bind', vault.address, '--rpc', urls, '--block', String(stage.block)];
  const call = ['--operator-url', operator, '--data', data];
  const [code] = await once(evermark([...binding, ...call], 'pipe'), 'exit');
  if (code !== 0) {
    exchange.kill('SIGTERM');
    return;
  }
  for (const name of ['wallet 1', 'wallet 2', 'wallet 3']) {
    const address = privateKeyToAccount(keyOf(name)).address.toLowerCase() as Hex;
    await chain.ask('anvil_setBalance', address, coins);
    await stage.fund(address, 100_000n * million);
    await vault.write(address, 'deposit', [address, 10_000n * million]);
    say(`${name}: ${address} key ${keyOf(name)}, 10000 USDT deposited, 90000 in the wallet`);
  }
  say(`chain ${chain.url} vault ${vault.address} token ${token.address}: ready`);
}
