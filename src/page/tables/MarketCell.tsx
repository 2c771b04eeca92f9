// The cell of a row that names its market: a click chooses it. A coloured edge shows the side.

import type { ComponentChildren } from 'preact';
import { usePage } from '../components/usePage.tsx';
import './tables.css';

type MarketCellProps = {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly children?: ComponentChildren;
};

export function MarketCell({ symbol, side, children }: MarketCellProps) {
  const page = usePage();
  return (
    <button
      type="button"
      class={`market-cell market-cell-${side === 'BUY' ? 'up' : 'down'}`}
      onClick={() => {
        page.symbol.value = symbol;
      }}
    >
      {symbol}
      {children !== undefined && <span class="market-tag">{children}</span>}
    </button>
  );
}
