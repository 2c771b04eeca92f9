// The words of a scenario for cancel on disconnect (COD-1): arming and disarming connections, and
// their end. The grammar is in docs/rules/README.md.

import { applyCommand } from '../../src/engine/apply.ts';
import type { ConnectionCommand } from '../../src/engine/connectionCommand.ts';
import type { MarketId, Time } from '../../src/units/units.ts';
import { accountOf, type World } from './world.ts';

/** Runs a step in which connections end; false: not such a step. */
export function actOnConnections(world: World, words: readonly string[]): boolean {
  const [first, ...rest] = words;
  if (first === 'disconnect') {
    apply(world, { kind: 'endConnections', connections: rest.map(Number) });
  } else if (first === 'restart') {
    apply(world, { kind: 'endConnections', connections: undefined });
  } else return false;
  return true;
}

/** Runs a step of an account about a connection; false: the verb is none of these. */
export function actConnectionsFor(world: World, name: string, words: readonly string[]): boolean {
  const [verb, number, ...symbols] = words;
  if (verb !== 'arm' && verb !== 'disarm') return false;
  const { id: account } = accountOf(world, name);
  const connection = Number(number);
  if (verb === 'disarm') apply(world, { kind: 'disarmConnection', account, connection });
  else {
    const markets = symbols.map((symbol) => marketNumber(world, symbol)).sort((a, b) => a - b);
    apply(world, { kind: 'armConnection', account, connection, markets });
  }
  return true;
}

/** A number that no market has, for a symbol that is not listed. */
function marketNumber({ exchange }: World, symbol: string): MarketId {
  return exchange.marketBySymbol.get(symbol) ?? (exchange.markets.length as MarketId);
}

function apply(world: World, command: ConnectionCommand): void {
  world.last = applyCommand(world.exchange, command, 0 as Time);
}
