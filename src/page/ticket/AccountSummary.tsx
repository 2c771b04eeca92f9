// The account in a few figures, below the ticket.

import { FaucetButton } from '../account/FaucetButton.tsx';
import { usePage } from '../components/usePage.tsx';
import type { Position } from '../state/account.ts';
import { positionFigures } from '../state/figures.ts';
import { plainText, scaledOf } from '../state/grid.ts';
import { cut, ratioPercent, signed } from '../state/grouping.ts';
import { marginRatioTone } from '../state/marginRatioTone.ts';
import type { Page } from '../state/page.ts';
import { needsMoney } from './needsMoney.ts';
import { ticketMessages } from './ticketMessages.ts';

const moneyDecimals = 6;

export function AccountSummary() {
  const page = usePage();
  const text = ticketMessages();
  const balance = page.account.balance.value;
  if (balance === undefined) return null;
  const whole = scaledOf(balance.balance, moneyDecimals);
  const profit = [...page.account.positions.value.values()].reduce(
    (sum, position) => sum + profitOf(page, position),
    0n,
  );
  const money = (amount: string): string => `${cut(amount, 2)} USDT`;
  const { margin_ratio: ratio } = balance;
  const lines = [
    [text.equity, money(plainText(whole + profit, moneyDecimals)), ''],
    [text.balance, money(balance.balance), ''],
    [text.unrealized, `${signed(profit / 10_000n, 2)} USDT`, toneOf(profit)],
    [text.available, money(balance.available_balance), ''],
    [text.frozen, money(balance.frozen), ''],
    [text.maintenance, money(balance.maint_margin), ''],
    // Isolated positions are judged alone; the ratio of all of them would say nothing.
    ...(balance.margin_mode === 'isolated'
      ? []
      : [[text.marginRatio, ratioPercent(ratio), marginRatioTone(ratio)] as const]),
  ] as const;
  return (
    <section class="summary" aria-label={text.account}>
      {lines.map(([name, value, tone]) => (
        <p key={name} class="summary-line">
          <span class="muted">{name}</span>
          <span class={tone}>{value}</span>
        </p>
      ))}
      {page.facts.isTestnet && !needsMoney(page) && <FaucetButton />}
    </section>
  );
}

const toneOf = (value: bigint): string => (value === 0n ? '' : value > 0n ? 'up' : 'down');

/** At the newest mark that the page has. */
function profitOf({ markets, tickers }: Page, position: Position): bigint {
  const market = markets.value.find(({ symbol }) => symbol === position.symbol);
  const mark = tickers.of(position.symbol).value?.mark_price ?? position.mark_price;
  if (market === undefined) return scaledOf(position.un_realized_profit, moneyDecimals);
  return positionFigures(position, market, mark).profit;
}
