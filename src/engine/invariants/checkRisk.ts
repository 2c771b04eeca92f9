// The invariants of the data derived for liquidations: the holders of positions, the accounts that
// are out of date, and that the liquidation index is conservative: it finds every account that
// fails at the present marks (clearing/liquidationIndex.ts, LIQ-1).

import type { Account } from '../account.ts';
import { isFund } from '../clearing/insurance.ts';
import { marginStatusOf, positionsOf, subjectsOf } from '../clearing/marginStatus.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { entriesOf } from './checkTriggers.ts';
import { type Findings, must } from './findings.ts';

export function checkRisk(findings: Findings, exchange: Exchange): void {
  const { accounts, dirty } = exchange;
  const listed = new Set(dirty);
  must(findings, listed.size === dirty.length, () => 'an account is listed as dirty twice');
  const held = exchange.markets.map((market) => new Set(market.risk.holders));
  const counts = held.map(({ size }) => size);
  const atRisk = exchange.markets.map((market) => checkSets(findings, market));
  for (const account of accounts) {
    if (account === undefined) continue;
    must(findings, account.dirty === listed.has(account), () => {
      return `account ${account.id} is listed as dirty wrongly`;
    });
    for (const position of account.positions) {
      if (position === undefined) continue;
      checkPlace(findings, account, position, held[position.market]);
      if (position.liquidationSide !== 0) atRisk[position.market]! -= 1;
    }
    if (!account.dirty && !isFund(account)) checkLiquidationIndex(findings, exchange, account);
  }
  exchange.markets.forEach(({ symbol, risk }, index) => {
    must(findings, atRisk[index] === 0, () => {
      return `${symbol}: positions are marked as listed in the liquidation index, and are not`;
    });
    must(findings, held[index]!.size === 0 && counts[index] === risk.holders.length, () => {
      return `${symbol}: a holder is listed twice, or is none`;
    });
  });
}

/** Removes the position from those that the market lists. */
function checkPlace(
  findings: Findings,
  account: Account,
  position: Position,
  listed: Set<Position> | undefined,
): void {
  const { market, lots, held, liquidationSide } = position;
  const name = `account ${account.id}, market ${market}`;
  must(findings, held === listed?.delete(position), () => `${name}: held is ${held} wrongly`);
  must(findings, held || lots === 0, () => `${name}: an open position is not among the holders`);
  const due = isFund(account) ? 0 : Math.sign(lots);
  must(findings, account.dirty || liquidationSide === due || liquidationSide === 0, () => {
    return `${name}: ${lots} lots stand on side ${liquidationSide} of the liquidation index`;
  });
}

/** Gives the number of the market's positions in the liquidation index. */
function checkSets(findings: Findings, market: Market): number {
  const { longs, shorts } = market.risk;
  for (const side of [1, -1] as const) {
    for (const [key, id, position] of entriesOf(findings, side > 0 ? longs : shorts)) {
      const found = position.liquidationSide === side && position.liquidationKey === key;
      const owned = position.market === market.id && position.account === id;
      must(findings, found && owned, () => {
        return `${market.symbol}: the liquidation index holds account ${id} in a wrong place`;
      });
    }
  }
  return longs.size + shorts.size;
}

/** equity < Σ maintenance margin only where a mark has crossed a key. */
function checkLiquidationIndex(findings: Findings, exchange: Exchange, account: Account): void {
  for (const subject of subjectsOf(account)) {
    const positions = positionsOf(subject);
    const { equity, maintenance } = marginStatusOf(exchange, subject);
    if (positions.length === 0 || equity >= maintenance) continue;
    const found = positions.some((position) => isCrossed(exchange, position));
    must(findings, found, () => {
      return `account ${account.id}: equity ${equity} is below ${maintenance} and not found`;
    });
  }
}

function isCrossed(exchange: Exchange, position: Position): boolean {
  const { prices, risk } = exchange.markets[position.market]!;
  if (position.liquidationSide === 0) return position.lots < 0 && risk.reach <= prices.mark;
  return position.liquidationKey <= (position.liquidationSide > 0 ? -prices.mark : prices.mark);
}
