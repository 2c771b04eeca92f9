// The leverage that later orders on this market take.

import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { changeLeverage } from '../state/changeLeverage.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { ticketMessages } from './ticketMessages.ts';

/** What the exchange takes for an account that has set nothing (MAR-5). */
const usual = 20;

/** The leverage of the account on this market, as far as the page knows it. */
export function leverageOf({ leverages, account }: Page, { symbol, maxLeverage }: Market): number {
  const position = account.positions.value.get(symbol);
  const known = leverages.value[symbol] ?? (position ? Number(position.leverage) : usual);
  return Math.min(known, maxLeverage);
}

export function LeverageField({ market }: { market: Market }) {
  const page = usePage();
  const text = ticketMessages();
  const known = leverageOf(page, market);
  const [typed, setTyped] = useState(String(known));
  const hasLogin = page.session.login.value !== undefined;
  useEffect(() => setTyped(String(known)), [known]);
  const wanted = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0;
  const isWrong = wanted < 1 || wanted > market.maxLeverage;
  const set = async (): Promise<void> => {
    if (isWrong || wanted === known || !hasLogin) {
      setTyped(String(known));
      return;
    }
    if (await changeLeverage(page, market.symbol, wanted)) {
      page.leverages.value = { ...page.leverages.value, [market.symbol]: wanted };
    } else setTyped(String(known));
  };
  return (
    <label class="leverage" title={text.leverageBounds(market.maxLeverage)}>
      <span class="muted">{text.leverage}</span>
      <input
        type="text"
        inputMode="numeric"
        autocomplete="off"
        maxLength={4}
        disabled={!hasLogin}
        aria-label={text.leverage}
        aria-invalid={isWrong}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => void set()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void set();
        }}
      />
      <span aria-hidden="true">x</span>
    </label>
  );
}
