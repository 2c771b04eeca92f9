// An amount of money with its sign, in the colour of gain or loss.

import { scaledOf } from '../state/grid.ts';
import { signed } from '../state/grouping.ts';

export function Amount({ text, decimals = 2 }: { text: string; decimals?: number }) {
  const value = scaledOf(text, decimals);
  // What is too small for these decimals is shown whole.
  const whole = value === 0n ? scaledOf(text, moneyDecimals) : 0n;
  if (value === 0n && whole === 0n) return <span class="muted">–</span>;
  const shown = value === 0n ? signed(whole, moneyDecimals) : signed(value, decimals);
  return <span class={shown.startsWith('-') ? 'down' : 'up'}>{shown}</span>;
}

const moneyDecimals = 6;
