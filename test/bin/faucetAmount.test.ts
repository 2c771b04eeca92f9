// What the operator's setting makes of the faucet (NAT-8), on testnets and mainnets.

import { expect, test } from 'vitest';
import { faucetAmount } from '../../src/bin/faucetAmount.ts';
import { type Config, readConfig } from '../../src/config.ts';

const configOf = (...args: string[]): Config =>
  readConfig({ args, environment: {}, readFile: () => '' });

test('NAT-8 a demo has a faucet of 10000, others have what the operator sets', () => {
  expect(faucetAmount(configOf())).toBe(10_000_000_000);
  expect(faucetAmount(configOf('--no-demo'))).toBe(undefined);
  expect(faucetAmount(configOf('--no-demo', '--faucet', '5'))).toBe(5_000_000);
  expect(faucetAmount(configOf('--faucet', '0'))).toBe(undefined);
  for (const wrong of ['-1', '1.5', '1000001', 'x']) {
    expect(() => configOf('--faucet', wrong), wrong).toThrow('--faucet takes');
  }
});

test('NAT-8 a mainnet has no faucet, and the start refuses one', () => {
  expect(faucetAmount(configOf('--chain', '43114'))).toBe(undefined);
  expect(faucetAmount(configOf('--chain', '43114', '--faucet', '0'))).toBe(undefined);
  expect(() => faucetAmount(configOf('--chain', '43114', '--faucet', '1'))).toThrow('no faucet');
});
