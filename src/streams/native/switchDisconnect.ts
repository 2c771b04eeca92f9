// The message of the channel protocol that arms the connection, or disarms it (COD-7). Its members
// are read strictly: a misspelt one must not arm for all symbols.

import { armedMarketsMax } from '../../engine/limits.ts';
import { marketBySymbol } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { normalizeSymbol } from '../../units/symbol.ts';
import type { AccountId } from '../../units/units.ts';
import type { DisconnectFailure } from '../disconnectSwitch.ts';
import { type Reader, sendText, switchOf } from '../reader.ts';
import type { StreamContext } from '../streamContext.ts';
import type { StreamError } from './streamError.ts';

const request = 'cancel_on_disconnect';
const members: ReadonlySet<string> = new Set(['type', 'enabled', 'symbols']);

/** A connection whose token gives access to the account. */
export type SwitchOf = {
  readonly context: StreamContext;
  readonly reader: Reader;
  readonly account: AccountId;
  readonly isAllowed: () => boolean;
  readonly onEnd: () => void;
};

/** The answer leaves when the change is durable. */
export function switchDisconnect(
  { context, reader, account, isAllowed, onEnd }: SwitchOf,
  message: Readonly<Record<string, unknown>>,
): void {
  const { disconnects, records } = context;
  const refuse = (error: StreamError): void => sendText(reader, switchErrorText(error));
  const wanted = readWanted(context, message);
  if ('code' in wanted) return refuse(wanted);
  if (!disconnects.takeRequest(account)) {
    return refuse({ code: 'TOO_MANY_REQUESTS', message: 'Too many requests.' });
  }
  const { enabled, markets } = wanted;
  const symbols = markets.length === 0 ? {} : { symbols: markets.map(({ symbol }) => symbol) };
  const done = JSON.stringify({ type: request, enabled, ...symbols });
  const settle = (failure: DisconnectFailure | undefined): void => {
    if (failure === undefined) sendText(reader, done);
    else refuse(records.disconnectError(failure));
  };
  const own = switchOf(reader, disconnects);
  if (!enabled) return own.disarm(account, settle);
  const arming = { account, isAllowed, onEnd, markets: markets.map(({ id }) => id) };
  own.arm(arming, settle);
}

export function switchErrorText(error: StreamError): string {
  return JSON.stringify({ type: 'error', ...error, request });
}

type Wanted = {
  readonly enabled: boolean;
  /** By number; empty: all. */
  readonly markets: readonly Market[];
};

function readWanted(
  { exchange }: Pick<StreamContext, 'exchange'>,
  message: Readonly<Record<string, unknown>>,
): Wanted | StreamError {
  const { enabled, symbols } = message;
  const stranger = Object.keys(message).find((name) => !members.has(name));
  if (stranger !== undefined) return malformed(`${stranger.slice(0, 64)} is not a member.`);
  if (typeof enabled !== 'boolean') return malformed('enabled must be true or false.');
  if (symbols === undefined) return { enabled, markets: [] };
  if (!enabled) return malformed('symbols may only be given when enabled is true.');
  if (!Array.isArray(symbols) || symbols.length === 0 || symbols.length > armedMarketsMax) {
    return malformed(`symbols must be a list of 1 to ${armedMarketsMax} symbols.`);
  }
  const markets = new Set<Market>();
  for (const symbol of symbols as unknown[]) {
    const market =
      typeof symbol === 'string' ? marketBySymbol(exchange, normalizeSymbol(symbol)) : undefined;
    if (market === undefined) {
      return { code: 'INVALID_MARKET', message: 'A symbol is unknown.' };
    }
    markets.add(market);
  }
  return { enabled, markets: [...markets].sort((a, b) => a.id - b.id) };
}

const malformed = (message: string): StreamError => ({ code: 'INVALID_PARAMETER', message });
