// What speaks against an order before it is sent: that the exchange would refuse it, and that its
// stop would come too late.

import { usePage } from '../components/usePage.tsx';
import { cut } from '../state/grouping.ts';
import { isBeyondLiquidation } from '../state/isBeyondLiquidation.ts';
import type { Page } from '../state/page.ts';
import { legTicks } from './legTicks.ts';
import type { OrderFormState } from './orderFormState.ts';
import type { Previewer, PreviewPair } from './previewer.ts';
import { stepsOfTyped } from './readDraft.ts';
import { refusalPlace } from './refusalPlace.ts';
import { ticketMessages } from './ticketMessages.ts';

const sides = ['BUY', 'SELL'] as const;

type Shown = PreviewPair | undefined;

type OrderWarningsProps = { readonly state: OrderFormState; readonly previewer: Previewer };

export function OrderWarnings({ state, previewer }: OrderWarningsProps) {
  const shown = previewer.shown.value;
  return (
    <>
      <Refused shown={shown} />
      <StopWarning state={state} shown={shown} />
    </>
  );
}

/** Why the exchange would refuse it, once when both sides have the same reason. */
function Refused({ shown }: { shown: Shown }) {
  const text = ticketMessages();
  if (shown === undefined) return null;
  const [buy, sell] = sides.map((side) => {
    const seen = shown[side];
    return seen.kind === 'refused' ? refusalPlace(seen.error).text : '';
  });
  const lines =
    buy === sell
      ? [buy]
      : [buy && `${text.sides.BUY}: ${buy}`, sell && `${text.sides.SELL}: ${sell}`];
  return lines
    .filter((line) => line !== undefined && line !== '')
    .map((line) => (
      <p key={line} class="preview-refused">
        {line}
      </p>
    ));
}

/** A stop that the liquidation would come before. */
function StopWarning({ state, shown }: { state: OrderFormState; shown: Shown }) {
  const price = liquidationBefore(usePage(), state, shown);
  if (price === undefined) return null;
  return (
    <p class="preview-warning" role="alert">
      {ticketMessages().beyondLiquidation(price)}
    </p>
  );
}

function liquidationBefore(
  { account }: Page,
  { draft, reading, market }: OrderFormState,
  shown: Shown,
): string | undefined {
  const { parts, typed } = reading;
  const show = (price: string): string => cut(price, market.tick.decimals);
  if (parts.legs && shown !== undefined) {
    for (const side of sides) {
      const seen = shown[side];
      const stopLoss = legTicks('stopLoss', side, draft, reading);
      if (seen.kind === 'refused' || stopLoss === undefined) continue;
      const { liquidation_price: liquidation, position_amt } = seen.preview.after;
      const isLong = !position_amt.startsWith('-');
      // The leg of this side closes what the order opens.
      if (isLong !== (side === 'BUY')) continue;
      if (isBeyondLiquidation(stopLoss, { liquidation, isLong, market })) return show(liquidation);
    }
  }
  const position = account.positions.value.get(market.symbol);
  const protects = draft.type === 'STOP' && (parts.closesAll || draft.reduceOnly);
  const trigger = protects ? stepsOfTyped(typed.trigger) : undefined;
  if (position === undefined || trigger === undefined) return undefined;
  const { liquidation_price: liquidation, position_amt } = position;
  const isLong = !position_amt.startsWith('-');
  const isBeyond = isBeyondLiquidation(trigger, { liquidation, isLong, market });
  return isBeyond ? show(liquidation) : undefined;
}
