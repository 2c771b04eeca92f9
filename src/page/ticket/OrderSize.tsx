// The size of an order: in base units, in USDT, or as a part of what is available.

import { NumberField } from '../components/NumberField.tsx';
import { usePage } from '../components/usePage.tsx';
import { useHotkeys } from '../hotkeys/useHotkeys.ts';
import { gridText, plainText, scaledOf, stepsOf } from '../state/grid.ts';
import type { Market } from '../state/market.ts';
import type { Draft } from './draft.ts';
import { leverageOf } from './leverageOf.ts';
import { lotsFor } from './lotsFor.ts';
import type { OrderFormState } from './orderFormState.ts';
import { type DraftReading, quoteGrid } from './readDraft.ts';
import { ticketMessages } from './ticketMessages.ts';

const moneyDecimals = 6;

export function OrderSize({ state }: { state: OrderFormState }) {
  const { draft, change, market, reading, problem } = state;
  const text = ticketMessages();
  if (reading.parts.closesAll) return <p class="muted">{text.wholePosition}</p>;
  return (
    <>
      <NumberField
        name="size"
        label={text.size}
        value={draft.size}
        onType={(size) => change({ size })}
        unit={
          <button
            type="button"
            class="unit-button"
            title={text.sizeUnit}
            onClick={() => change(otherUnit(draft, reading, market))}
          >
            {draft.unit === 'base' ? market.base : market.quote}
          </button>
        }
        problem={problem('size')}
      />
      <PercentSlider state={state} />
    </>
  );
}

/** What there is room for. */
const percentMax = 999;
const marks = [0, 25, 50, 75, 100] as const;

function PercentSlider({ state }: { state: OrderFormState }) {
  const { reading, change, market } = state;
  const most = useMost(state);
  const percent = most === 0n ? 0 : Number(((reading.lots ?? 0n) * 100n) / most);
  const take = (part: number): void => {
    change({ unit: 'base', size: partText(most, part, market) });
  };
  useHotkeys({
    quarter: () => take(25),
    half: () => take(50),
    threeQuarters: () => take(75),
    all: () => take(100),
  });
  return (
    <div class="percent">
      <input
        name="percent"
        type="range"
        min="0"
        max="100"
        step="1"
        aria-label={ticketMessages().percent}
        disabled={most === 0n}
        value={Math.min(100, percent)}
        onInput={(event) => take(Number(event.currentTarget.value))}
      />
      <output class="percent-value">{Math.min(percent, percentMax)}%</output>
      <span class="percent-marks">
        {marks.map((part) => (
          <button key={part} type="button" disabled={most === 0n} onClick={() => take(part)}>
            {part}%
          </button>
        ))}
      </span>
    </div>
  );
}

/** A whole number of percent of the lots, as the size is typed; empty for nothing. */
function partText(most: bigint, percent: number, { lot }: Market): string {
  const wanted = (most * BigInt(percent)) / 100n;
  return wanted === 0n ? '' : gridText(wanted, lot);
}

/** The lots that the available money could open, or those of the position if it is reduced. */
function useMost({ draft, reading, market, marketTicks }: OrderFormState): bigint {
  const page = usePage();
  const { account } = page;
  if (draft.reduceOnly) {
    const amount = account.positions.value.get(market.symbol)?.position_amt ?? '0';
    return stepsOf(amount.replace('-', ''), market.lot);
  }
  const ticks = reading.ticks ?? marketTicks;
  const available = scaledOf(account.balance.value?.available_balance ?? '0', moneyDecimals);
  const leverage = leverageOf(page, market);
  return ticks === undefined ? 0n : lotsFor(available, { ticks, leverage, market });
}

/** The same size in the other unit, as far as it is known. */
function otherUnit({ unit }: Draft, { lots, value }: DraftReading, { lot }: Market) {
  if (unit === 'quote') {
    const known = lots !== undefined && lots > 0n;
    return { unit: 'base', size: known ? gridText(lots, lot) : '' } as const;
  }
  const cents = value === undefined ? undefined : value / 10_000n;
  const known = cents !== undefined && cents > 0n;
  return { unit: 'quote', size: known ? plainText(cents, quoteGrid.decimals) : '' } as const;
}
