// The operator changes a market's terms or status (SYM-1, OPS-2). The new terms must pass the same
// checks as at listing; the grid cannot change.

import type { ChangeMarket } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { checkTerms } from './checkTerms.ts';

export function changeMarket(exchange: Exchange, command: ChangeMarket): Outcome {
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const terms = { ...market.terms, ...command.terms };
  const raised = terms.maintenanceMarginRate > market.terms.maintenanceMarginRate;
  if (raised && hasOpenPosition(exchange, market.id)) {
    const detail = 'cannot be raised while positions are open';
    return rejected({ reason: 'termsInvalid', field: 'maintenanceMarginRate', detail });
  }
  const refused = checkTerms(terms);
  if (refused !== undefined) return rejected(refused);
  // From here the order must succeed.
  exchange.sure = true;
  market.terms = terms;
  market.status = command.status ?? market.status;
  const sources = new Set(terms.indexSources.map(({ source }) => source));
  market.prices.sources = market.prices.sources.filter(({ source }) => sources.has(source));
  const { status } = market;
  exchange.events.push({ kind: 'marketChanged', market: market.id, terms, status });
  return { kind: 'accepted', market };
}

/** Whether any account, house included, has a position. Cost: the accounts; operators are rare. */
function hasOpenPosition(exchange: Exchange, market: number): boolean {
  return exchange.accounts.some((account) => (account.positions[market]?.lots ?? 0) !== 0);
}
