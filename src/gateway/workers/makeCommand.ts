// Makes the command of a request in a worker, by the functions that the serving thread uses: of its
// row, of its parameters, of its signature. It refuses nothing: what gives no command here is
// handed over as it came, and the serving thread says why.

import { cancelOrder } from '../../api/fapi/cancelOrder.ts';
import { placeOrder } from '../../api/fapi/placeOrder.ts';
import type { Apart, Operation } from '../../api/operation.ts';
import { isRefusal, type MarketTable } from '../../api/readParameters.ts';
import { isAccountCommand } from '../../engine/codec/commandCodec.ts';
import type { Market, MarketGrid } from '../../engine/views/market.ts';
import type { AccountId } from '../../units/units.ts';
import { type SignedRequest, signedTimestamp } from '../checkSignature.ts';
import { type Endpoint, endpointOf } from '../endpoint.ts';
import type { Route } from '../handlers.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import type { IncomingRequest } from '../incomingRequest.ts';
import { clientOf } from '../pendingRequest.ts';
import { requestFields } from '../requestFields.ts';
import { headWeight } from '../sizeWeight.ts';
import type { MadeCommand } from './madeCommand.ts';

/** The rows whose commands workers make. */
const parted: readonly Operation[] = [placeOrder, cancelOrder];

/** A route whose commands this worker makes. */
export type Making = { readonly endpoint: Endpoint; readonly apart: Apart<unknown> };

export function makingOf({ name, surface, auth }: Route): Making | undefined {
  const row = parted.find((each) => each.name === name && each.surface === surface);
  if (row === undefined || auth !== 'key') return undefined;
  const apart = apartOf(row);
  return apart && { endpoint: endpointOf(row), apart };
}

/** The halves of a row whose commands workers make; they weigh the same for all parameters. */
export function apartOf(row: Operation): Apart<unknown> | undefined {
  if (row.does !== 'command' || row.auth !== 'key' || typeof row.weight !== 'number') {
    return undefined;
  }
  return row.apart as Apart<unknown> | undefined;
}

/** What a worker knows of markets. */
export type KnownMarkets = MarketTable & {
  readonly learn: (grid: MarketGrid) => void;
  readonly byId: (id: number) => MarketGrid | undefined;
};

export function createKnownMarkets(grids: readonly MarketGrid[]): KnownMarkets {
  const bySymbol = new Map<string, Market>();
  const ids: MarketGrid[] = [];
  const learn = (grid: MarketGrid): void => {
    // The first half of a row reads the grid alone. On anything else it would throw, and the
    // request would be handed over.
    bySymbol.set(grid.symbol, grid as Market);
    ids[grid.id] = grid;
  };
  for (const grid of grids) learn(grid);
  return { bySymbol, learn, byId: (id) => ids[id] };
}

/** Of a market, the grid alone: it never changes (OPS-2). */
export function gridOf({ id, symbol, tick, lot, grain }: MarketGrid): MarketGrid {
  return { id, symbol, tick, lot, grain };
}

/** Records get their account in the serving thread. */
const noAccount = { id: 0 as AccountId };

export type Signed = Omit<SignedRequest, 'now'>;

/** undefined: the serving thread must read the request. The signature must be good. */
export function makeCommand(
  { endpoint, apart }: Making,
  incoming: IncomingRequest,
  { query, body }: Signed,
  known: { readonly markets: MarketTable; readonly trustedProxies: ReadonlySet<string> },
): MadeCommand | undefined {
  const { headers, target } = incoming;
  const { 'x-mbx-apikey': apiKey, 'idempotency-key': key = '' } = headers;
  if (typeof apiKey !== 'string' || apiKey === '' || key !== '') return undefined;
  const timestamp = signedTimestamp(() => true, { query, body });
  if (timestamp === undefined) return undefined;
  try {
    const fields = requestFields(query, body, endpoint.bodyList);
    if (isRefusal(fields)) return undefined;
    const parameters = endpoint.reader(fields, known.markets);
    if (isRefusal(parameters)) return undefined;
    const asking = { account: noAccount, idempotencyKey: '', idempotencyRequest: '' };
    const command = apart.make(asking, parameters);
    if (isRefusal(command) || !isAccountCommand(command)) return undefined;
    const client = clientOf(known, incoming);
    const sizeWeight = headWeight(target, headers);
    return { timestamp, apiKey, client, limitKey: limitKeyOf(client), sizeWeight, command };
  } catch {
    // The serving thread meets the same fault, and reports it.
    return undefined;
  }
}
