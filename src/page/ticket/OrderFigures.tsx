// What an order would cost and leave, for both sides, before it is sent.

import { useEffect, useMemo } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { plainText, scaledOf } from '../state/grid.ts';
import { cut } from '../state/grouping.ts';
import { isBeyondLiquidation } from '../state/isBeyondLiquidation.ts';
import type { Market } from '../state/market.ts';
import { isTriggerWish, orderRequest } from '../state/orderWish.ts';
import type { Page } from '../state/page.ts';
import { leverageOf } from './leverageOf.ts';
import { marginOf } from './lotsFor.ts';
import type { OrderFormState } from './orderFormState.ts';
import { createPreviewer, type PreviewedSide, type PreviewWishes } from './previewer.ts';
import { stepsOfTyped } from './readDraft.ts';
import { refusalPlace } from './refusalPlace.ts';
import { ticketMessages } from './ticketMessages.ts';

const moneyDecimals = 6;
const sides = ['BUY', 'SELL'] as const;

export function OrderFigures({ state }: { state: OrderFormState }) {
  const { draft, reading, market } = state;
  const page = usePage();
  const text = ticketMessages();
  const shown = usePreview(state);
  const { value } = reading;
  const needsMargin = value !== undefined && !draft.reduceOnly;
  const margin = needsMargin ? marginOf(value, leverageOf(page, market)) : undefined;
  return (
    <div class="ticket-figures">
      <p class="ticket-line">
        <span class="muted">{text.orderValue}</span>
        <span>{moneyText(value)}</span>
      </p>
      {shown === undefined ? (
        <p class="ticket-line">
          <span class="muted">{text.margin}</span>
          <span>{moneyText(margin)}</span>
        </p>
      ) : (
        <table
          class={shown.isFresh ? 'preview' : 'preview preview-stale'}
          aria-label={text.preview}
        >
          <thead>
            <tr>
              <td />
              {sides.map((side) => (
                <th key={side} scope="col" class={side === 'BUY' ? 'up' : 'down'}>
                  {text.sides[side]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figureRows(market).map(([name, figure]) => (
              <tr key={name}>
                <th scope="row">{text[name]}</th>
                {sides.map((side) => (
                  <td key={side}>{figure(shown[side])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Refused shown={shown} />
      <StopWarning state={state} shown={shown} />
    </div>
  );
}

type Shown = ReturnType<typeof usePreview>;

/** Asks again when the order changes, or what it would be judged by. */
function usePreview({ wishOf }: OrderFormState) {
  const page = usePage();
  const previewer = useMemo(
    () =>
      createPreviewer({
        ask: (wish) => page.requests.previewNativeOrder(orderRequest(wish)),
        now: () => page.options.clock.now(),
        isSeen: () => document.visibilityState === 'visible',
      }),
    [page],
  );
  useEffect(() => previewer.close, [previewer]);
  const wishes = page.session.login.value === undefined ? undefined : previewWishes(wishOf);
  const asked = wishes && JSON.stringify([...sides.map((side) => orderRequest(wishes[side]))]);
  useEffect(() => previewer.want(wishes), [previewer, asked, judgedBy(page)]);
  return previewer.shown.value;
}

/** A trigger has no preview: what it will meet is not known. */
function previewWishes(wishOf: OrderFormState['wishOf']): PreviewWishes | undefined {
  const [BUY, SELL] = [wishOf('BUY'), wishOf('SELL')];
  if (BUY === undefined || SELL === undefined) return undefined;
  return isTriggerWish(BUY) || isTriggerWish(SELL) ? undefined : { BUY, SELL };
}

/** Changes with everything but prices by which an order is judged. */
function judgedBy({ account, terms }: Page): string {
  const held = [...account.positions.value.values()].map(({ position_amt }) => position_amt);
  const leverages = terms.value?.markets.map(({ leverage }) => leverage);
  return [terms.value?.margin_mode, leverages, held, account.orders.value.size].join(' ');
}

type FigureName = 'margin' | 'fee' | 'average' | 'slips' | 'liquidation';
type FigureRow = readonly [FigureName, (side: PreviewedSide) => string];

function figureRows({ tick }: Market): readonly FigureRow[] {
  const of =
    (read: (preview: Extract<PreviewedSide, { kind: 'figures' }>['preview']) => string) =>
    (side: PreviewedSide): string =>
      side.kind === 'figures' ? read(side.preview) : '–';
  const price = (text: string): string =>
    scaledOf(text, tick.decimals) === 0n ? '–' : cut(text, tick.decimals);
  return [
    ['margin', of(({ margin }) => cut(margin, 2))],
    ['fee', of(({ fee }) => cut(fee, 4))],
    ['average', of(({ avg_price }) => price(avg_price))],
    [
      'slips',
      of(({ executed_qty, slippage }) =>
        scaledOf(executed_qty, 12) === 0n ? '–' : `${cut(slippageOf(slippage), 3)}%`,
      ),
    ],
    // "0" means that no price liquidates it.
    ['liquidation', of(({ after }) => price(after.liquidation_price))],
  ];
}

const slippageOf = (fraction: string): string => plainText(scaledOf(fraction, 8), 6);

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
  const stopLoss = parts.legs ? stepsOfTyped(typed.stopLoss) : undefined;
  if (stopLoss !== undefined && shown !== undefined) {
    for (const side of sides) {
      const seen = shown[side];
      if (seen.kind === 'refused') continue;
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

const moneyText = (value: bigint | undefined): string =>
  value === undefined ? '–' : `${cut(plainText(value, moneyDecimals), 2)} USDT`;
