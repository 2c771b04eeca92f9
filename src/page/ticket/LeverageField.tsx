// The leverage that later orders on this market take.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../components/Problem.tsx';
import { usePage } from '../components/usePage.tsx';
import { changeLeverage } from '../state/changeLeverage.ts';
import type { Market } from '../state/market.ts';
import { leverageOf } from './leverageOf.ts';
import { refusalPlace } from './refusalPlace.ts';
import { ticketMessages } from './ticketMessages.ts';

type LeverageFieldProps = {
  readonly market: Market;
  /** Why an order was refused because of the leverage; else empty. */
  readonly refusal: string;
};

export function LeverageField({ market, refusal }: LeverageFieldProps) {
  const page = usePage();
  const text = ticketMessages();
  const known = leverageOf(page, market);
  const [typed, setTyped] = useState(String(known));
  const [refused, setRefused] = useState('');
  const hasLogin = page.session.login.value !== undefined;
  const input = useRef<HTMLInputElement>(null);
  // What a person is typing stays. A field that still shows the leverage before follows.
  const shown = useRef(known);
  useEffect(() => {
    const isUntouched = typed === String(shown.current);
    shown.current = known;
    if (isUntouched || input.current !== document.activeElement) setTyped(String(known));
  }, [known]);
  const wanted = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0;
  const isWrong = wanted < 1 || wanted > market.maxLeverage;
  const bounds = text.leverageBounds(market.maxLeverage);
  const said = refused || refusal || (isWrong && typed !== '' ? bounds : '');
  const set = async (): Promise<void> => {
    setRefused('');
    if (isWrong || wanted === known || !hasLogin) return setTyped(String(known));
    const failed = await changeLeverage(page, market.symbol, wanted);
    if (failed === undefined) return;
    setRefused(refusalPlace(failed.error).text);
    setTyped(String(known));
  };
  return (
    <div class="leverage-place">
      <label class="leverage" title={bounds}>
        <span class="muted">{text.leverage}</span>
        <input
          ref={input}
          name="leverage"
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
            const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
            if (step === 0 || isWrong) return;
            event.preventDefault();
            setTyped(String(Math.min(market.maxLeverage, Math.max(1, wanted + step))));
          }}
        />
        <span aria-hidden="true">x</span>
      </label>
      <Problem text={said} />
    </div>
  );
}
