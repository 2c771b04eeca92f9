// A state with a vault in which one wallet is owed something.

import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { Time } from '../../src/units/units.ts';
import { bindVaultCommand, nextDeposit } from '../engine/depositChain.ts';

export function publishedWorld(): { readonly exchange: Exchange; readonly wallet: string } {
  const exchange = createExchange(43113);
  const wallet = `0x${'1'.repeat(40)}`;
  beginBatch(exchange, 1000 as Time);
  applyCommand(exchange, bindVaultCommand, 0 as Time);
  applyCommand(exchange, nextDeposit(exchange, wallet, 100), 0 as Time);
  return { exchange, wallet };
}
