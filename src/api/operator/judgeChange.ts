// Which changes of a market the operator must confirm (OPS-4), and the members that confirm them:
// the present value of each dangerous term.

import type { JudgedChange } from '../../engine/command.ts';
import {
  type MarketStatus,
  type MarketTerms,
  sameSources,
  termsAfter,
} from '../../engine/marketTerms.ts';
import { liquidatedByTerms, noLiquidations } from '../../engine/views/liquidatedBy.ts';
import { changesSettling, type Market } from '../../engine/views/market.ts';
import type { Time } from '../../units/units.ts';
import type { Deployment } from '../deployment.ts';
import type { Value } from '../fields.ts';
import { rateText } from '../grid.ts';
import { readExactRate } from '../readExactMoney.ts';
import type { Refusal } from '../refusal.ts';
import {
  confirmationRequired,
  liquidationSentence,
  sourceDangers,
  sourcesText,
} from './confirmation.ts';
import { readSources } from './termsParameters.ts';

export type Change = {
  readonly terms: Partial<MarketTerms>;
  readonly status: MarketStatus | undefined;
  /** The values that the operator saw, of the terms that need confirmation. */
  readonly expected: {
    readonly index_sources: readonly Value[] | undefined;
    readonly mark_clamp: string | undefined;
    readonly status: MarketStatus | undefined;
  };
};

type Term = keyof Change['expected'];

/**
 * Why the change is refused, or the values by which it was judged. The engine compares them,
 * because other commands may come first. It judges by the present state, on the thread that trades.
 * Cost: the positions of the market, when a term changes on which a mark depends.
 */
export function judgeChange(
  deployment: Deployment,
  market: Market,
  { terms, status, expected }: Change,
): Refusal | JudgedChange {
  const present: Readonly<Record<Term, string>> = {
    index_sources: sourcesText(market.terms.indexSources),
    mark_clamp: rateText(market.terms.markClamp),
    status: market.status,
  };
  const reported = confirmed(market, expected);
  if ('reason' in reported) return reported;
  const stale = (Object.keys(present) as Term[]).filter((term) => reported[term] === false);
  if (stale.length > 0) {
    return confirmationRequired(
      stale.map((term) => `The ${term} of ${market.symbol} is ${present[term]} now.`),
      stale.map((term) => `expected_${term}=${present[term]}`),
    );
  }
  const wanted = {
    terms: termsAfter(market.terms, terms),
    status: status ?? market.status,
  };
  const changed = changedTerms(market, wanted, deployment.exchange.time);
  const sources = changed.includes('index_sources')
    ? sourceDangers(deployment, market, terms.indexSources ?? [])
    : [];
  const liquidated =
    changed.length === 0 ? noLiquidations : liquidatedByTerms(deployment.exchange, market, wanted);
  const ruin = liquidationSentence(liquidated);
  const dangerous = changed.filter(
    (term) => ruin !== undefined || (term === 'index_sources' && sources.length > 0),
  );
  if (dangerous.every((term) => reported[term] === true)) {
    const { indexSources, markClamp } = market.terms;
    const mayLiquidate = changed.length > 0 && changed.every((term) => reported[term] === true);
    return { indexSources, markClamp, status: market.status, mayLiquidate };
  }
  return confirmationRequired(
    [...sources, ...(ruin === undefined ? [] : [ruin])],
    dangerous.map((term) => `expected_${term}=${present[term]}`),
  );
}

/** The changed terms on which the mark, or the choice of accounts to check, depends. */
function changedTerms(market: Market, wanted: Wanted, now: Time): Term[] {
  const { terms: present, status: before } = market;
  const { terms, status } = wanted;
  const changed: Term[] = [];
  if (!sameSources(terms.indexSources, present.indexSources)) changed.push('index_sources');
  if (terms.markClamp !== present.markClamp) changed.push('mark_clamp');
  const leavesHalt = before === 'HALT' && status !== 'HALT';
  // The mark moves to the settlement price at the next tick, or back from it (SYM-2c).
  if (leavesHalt || changesSettling(market, wanted, now)) changed.push('status');
  return changed;
}

type Wanted = Pick<Market, 'status' | 'terms'>;

type Reported = Readonly<Record<Term, boolean | undefined>>;

/** For each term, whether the sent value is the present value; undefined when nothing was sent. */
function confirmed({ terms, status }: Market, expected: Change['expected']): Reported | Refusal {
  const { index_sources: sentSources, mark_clamp: sentClamp, status: seen } = expected;
  const sources = sentSources === undefined ? undefined : readSources(sentSources);
  if (sentSources !== undefined && sources === undefined) {
    return { reason: 'parameterMalformed', name: 'expected_index_sources' };
  }
  const clamp =
    sentClamp === undefined ? undefined : readExactRate(sentClamp, 'expected_mark_clamp');
  if (typeof clamp === 'object') return clamp;
  return {
    index_sources: sources && sameSources(sources, terms.indexSources),
    mark_clamp: clamp === undefined ? undefined : clamp === terms.markClamp,
    status: seen === undefined ? undefined : seen === status,
  };
}
