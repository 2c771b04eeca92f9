// The search of markets: type a part of the name, move with the arrow keys, choose with Enter.

import { useId, useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import { scaledOf } from '../state/grid.ts';
import { compact, cut, signed } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import './marketSearch.css';
import { marketMessages } from './marketMessages.ts';

export function MarketSearch({ onClose }: { onClose: () => void }) {
  const { markets, symbol } = usePage();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(() => placeOf(markets.value, symbol.value));
  const text = marketMessages();
  const id = useId();
  const wanted = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const found = markets.value.filter((each) => each.symbol.includes(wanted));
  const choose = (market: Market | undefined): void => {
    if (market === undefined) return;
    symbol.value = market.symbol;
    onClose();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') choose(found[at]);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || found.length === 0) return;
    event.preventDefault();
    setAt((at + step + found.length) % found.length);
  };
  return (
    <Dialog title={text.choose} onClose={onClose}>
      <input
        // The dialog is there to type in.
        autofocus
        name="market"
        class="search-input"
        type="text"
        role="combobox"
        aria-label={text.search}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
        placeholder={text.search}
        autocomplete="off"
        spellcheck={false}
        maxLength={40}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      {found.length > 0 && <Head />}
      <div class="search-list" id={id} role="listbox" aria-label={text.choose}>
        {found.map((market, index) => (
          <MarketOption
            key={market.symbol}
            id={`${id}-${index}`}
            market={market}
            isChosen={index === at}
            onChoose={() => choose(market)}
          />
        ))}
      </div>
      {found.length === 0 && <p class="muted">{text.noMatch}</p>}
    </Dialog>
  );
}

const placeOf = (markets: readonly Market[], symbol: string): number =>
  Math.max(
    0,
    markets.findIndex((each) => each.symbol === symbol),
  );

/** What the columns are; each option says it by its own text. */
function Head() {
  const text = marketMessages();
  return (
    <div class="search-head" aria-hidden="true">
      {[text.market, text.last, text.change, text.volume].map((name) => (
        <span key={name}>{name}</span>
      ))}
    </div>
  );
}

type MarketOptionProps = {
  readonly id: string;
  readonly market: Market;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function MarketOption({ id, market, isChosen, onChoose }: MarketOptionProps) {
  const ticker = usePage().tickers.of(market.symbol).value;
  const percent = ticker && scaledOf(ticker.price_change_percent_24h, 2);
  return (
    <div
      id={id}
      class="search-row"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose();
      }}
    >
      <strong>
        {market.base}-{market.quote}{' '}
        <span class="market-tag">{marketMessages().leverageMax(market.maxLeverage)}</span>
      </strong>
      <span>{ticker ? cut(ticker.last_price, market.tick.decimals) : '–'}</span>
      <span class={percent === undefined || percent === 0n ? '' : percent > 0n ? 'up' : 'down'}>
        {percent === undefined ? '–' : `${signed(percent, 2)}%`}
      </span>
      <span class="muted">{ticker ? compact(ticker.volume_24h_usd) : '–'}</span>
    </div>
  );
}
