// The invariants of cancel on disconnect: armed connections within their bounds (COD-3), and ended
// ones whose orders must still end (COD-5).

import type { Connections } from '../connection.ts';
import type { Exchange } from '../exchange.ts';
import { armedConnectionsMax, armedMarketsMax, armedPerAccountMax } from '../limits.ts';
import { type Findings, must } from './findings.ts';

export function checkConnections(findings: Findings, exchange: Exchange): void {
  const { accounts, connections, sequence } = exchange;
  const { armed, queue, turn } = connections;
  must(findings, armed.size <= armedConnectionsMax, () => `${armed.size} connections are armed`);
  must(
    findings,
    turn < Math.max(queue.length, 1),
    () => `connection ${turn} has ended and no turn`,
  );
  checkArmed(findings, exchange, connections);
  for (const { account, markets, sequence: bound, done } of queue) {
    const count = markets.length === 0 ? exchange.markets.length : markets.length;
    const within = bound <= sequence && done <= count && areListed(exchange, markets);
    must(findings, accounts[account]?.funded === true && within, () => {
      return `an ended connection of account ${account} has a wrong account, market or number`;
    });
  }
}

function checkArmed(findings: Findings, exchange: Exchange, { armed }: Connections): void {
  const { accounts } = exchange;
  const counts = new Array<number>(accounts.length).fill(0);
  for (const [number, { id, account, markets }] of armed) {
    counts[account] = (counts[account] ?? 0) + 1;
    const known = number === id && accounts[account]?.funded === true;
    must(findings, known && areListed(exchange, markets), () => {
      return `armed connection ${number} has a wrong number, account or market`;
    });
  }
  for (const account of accounts) {
    if (account === undefined) continue;
    const { id, armedConnections } = account;
    const right = armedConnections === counts[id] && armedConnections <= armedPerAccountMax;
    must(findings, right, () => {
      return `account ${id} counts ${armedConnections} of ${counts[id]} armed connections`;
    });
  }
}

/** By rising number, each listed. */
function areListed({ markets: all }: Exchange, markets: readonly number[]): boolean {
  const rising = markets.every((market, index) => index === 0 || markets[index - 1]! < market);
  return rising && markets.length <= armedMarketsMax && (markets.at(-1) ?? 0) < all.length;
}
