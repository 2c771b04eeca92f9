// What one claim of the faucet gives (NAT-8): by the operator's setting, and with a demo also
// without one. On a mainnet money is real, and with a vault it comes by deposits, so a faucet is
// refused there.

import { type Config, ConfigError, chains } from '../config.ts';
import type { Money } from '../units/units.ts';

const demoUsdt = 10_000;
const moneyPerUsdt = 1_000_000;

/** undefined: there is none. */
export function faucetAmount({ faucet, demo, chain, vault }: Config): Money | undefined {
  const isMainnet = chains[chain] === 'mainnet';
  const isPlay = !isMainnet && vault === '';
  if (faucet === 'demo') return demo && isPlay ? money(demoUsdt) : undefined;
  if (faucet === 0) return undefined;
  if (isMainnet) throw new ConfigError('A mainnet has no faucet: --faucet takes 0 there.');
  if (vault !== '') throw new ConfigError('A vault has no faucet: --faucet takes 0 with --vault.');
  return money(faucet);
}

const money = (usdt: number): Money => (usdt * moneyPerUsdt) as Money;
