// The operator changes a market's terms or status (SYM-1, OPS-2). The new terms must pass the same
// checks as at listing; the grid cannot change. A raised maintenance rate waits a day while there
// are positions, so that nobody is liquidated by a signature.

import type { AccountId, MarketId, Rate, Time } from '../../units/units.ts';
import type { ChangeMarket } from '../command.ts';
import { drawNumber, type Exchange, type Timer } from '../exchange.ts';
import type { Market, MarketTerms } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { schedule } from '../timers.ts';
import { checkTerms } from './checkTerms.ts';

const raiseDelayMs = 86_400_000;

export function changeMarket(exchange: Exchange, command: ChangeMarket): Outcome {
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const wanted = { ...market.terms, ...command.terms };
  const refused = checkTerms(wanted);
  if (refused !== undefined) return rejected(refused);
  const present = market.terms.maintenanceMarginRate;
  const raised = wanted.maintenanceMarginRate;
  const waits = raised > present && hasOpenPosition(exchange, market.id);
  const terms = waits ? { ...wanted, maintenanceMarginRate: present } : wanted;
  const refusedToday = waits ? checkTerms(terms) : undefined;
  if (refusedToday !== undefined) return rejected(refusedToday);
  // From here the order must succeed.
  exchange.sure = true;
  const ruled = command.terms.maintenanceMarginRate !== undefined;
  if (ruled) scheduleRaise(exchange, market, waits ? raised : undefined);
  market.status = command.status ?? market.status;
  const sources = new Set(terms.indexSources.map(({ source }) => source));
  market.prices.sources = market.prices.sources.filter(({ source }) => sources.has(source));
  setTerms(exchange, market, terms);
  return { kind: 'accepted', market };
}

/** The day has come for a raised rate, unless a later change has taken its place. */
export function raiseMaintenance(exchange: Exchange, timer: Timer): void {
  const market = exchange.markets[timer.market]!;
  if (market.raise.timer !== timer.id) return;
  const terms = { ...market.terms, maintenanceMarginRate: market.raise.rate };
  scheduleRaise(exchange, market, undefined);
  // Terms that changed in between may no longer allow the rate; then it lapses.
  if (checkTerms(terms) === undefined) setTerms(exchange, market, terms);
}

function setTerms(exchange: Exchange, market: Market, terms: MarketTerms): void {
  market.terms = terms;
  const { status } = market;
  exchange.events.push({ kind: 'marketChanged', market: market.id, terms, status });
}

/** Makes the rate wait, or, undefined, forgets the one that waits. */
function scheduleRaise(exchange: Exchange, market: Market, rate: Rate | undefined): void {
  const { raise } = market;
  raise.rate = rate ?? (0 as Rate);
  raise.at = (rate === undefined ? 0 : exchange.time + raiseDelayMs) as Time;
  raise.timer = rate === undefined ? 0 : drawNumber(exchange);
  if (rate === undefined) return;
  const { at: time, timer: id } = raise;
  const owner = { account: 0 as AccountId, market: market.id };
  schedule(exchange, { time, id, kind: 'maintenance' as const, ...owner, nonce: '' });
}

/** Whether any account, house included, has a position. Cost: the accounts; operators are rare. */
function hasOpenPosition(exchange: Exchange, market: MarketId): boolean {
  return exchange.accounts.some((account) => (account.positions[market]?.lots ?? 0) !== 0);
}
