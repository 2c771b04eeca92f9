// A check that a market maker does not quote against itself.

/** Whether a bid meets an ask. */
export function selfCrossed(
  quotes: readonly { readonly side: string; readonly ticks: number }[],
): boolean {
  const bids = quotes.filter(({ side }) => side === 'BUY').map(({ ticks }) => ticks);
  const asks = quotes.filter(({ side }) => side === 'SELL').map(({ ticks }) => ticks);
  return Math.max(0, ...bids) >= Math.min(Number.POSITIVE_INFINITY, ...asks);
}
