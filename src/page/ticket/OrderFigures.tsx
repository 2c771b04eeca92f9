// What an order would cost and leave, for both sides, before it is sent. It stands below the
// buttons: figures that come while a person types must not move what is about to be pressed.

import { usePage } from '../components/usePage.tsx';
import { generalMessages } from '../messages/generalMessages.ts';
import { plainText, scaledOf } from '../state/grid.ts';
import { cut } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import { leverageOf } from './leverageOf.ts';
import { marginOf } from './lotsFor.ts';
import type { OrderFormState } from './orderFormState.ts';
import type { PreviewedSide, Previewer } from './previewer.ts';
import { ticketMessages } from './ticketMessages.ts';

const moneyDecimals = 6;
const sides = ['BUY', 'SELL'] as const;

type OrderFiguresProps = {
  readonly state: OrderFormState;
  readonly previewer: Previewer;
};

export function OrderFigures({ state, previewer }: OrderFiguresProps) {
  const shown = previewer.shown.value;
  const { draft, reading, market } = state;
  const page = usePage();
  const text = ticketMessages();
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
    </div>
  );
}

type FigureName = 'marginIn' | 'fee' | 'average' | 'slips' | 'liquidation';
type FigureRow = readonly [FigureName, (side: PreviewedSide) => string];

function figureRows({ tick }: Market): readonly FigureRow[] {
  const of =
    (read: (preview: Extract<PreviewedSide, { kind: 'figures' }>['preview']) => string) =>
    (side: PreviewedSide): string =>
      side.kind === 'figures' ? read(side.preview) : '–';
  const price = (text: string): string =>
    scaledOf(text, tick.decimals) === 0n ? '–' : cut(text, tick.decimals);
  return [
    ['marginIn', of(({ margin }) => cut(margin, 2))],
    ['fee', of(({ fee }) => cut(fee, 4))],
    ['average', of(({ avg_price }) => price(avg_price))],
    [
      'slips',
      of(({ executed_qty, slippage }) =>
        scaledOf(executed_qty, 12) === 0n ? '–' : `${cut(slippageOf(slippage), 3)}%`,
      ),
    ],
    [
      'liquidation',
      of(({ after: { liquidation_price: liquidation, position_amt: amount } }) => {
        // "0" means that no price liquidates it.
        const isNever = scaledOf(liquidation, 8) === 0n && scaledOf(amount, 12) !== 0n;
        return isNever ? generalMessages().neverLiquidated : price(liquidation);
      }),
    ],
  ];
}

const slippageOf = (fraction: string): string => plainText(scaledOf(fraction, 8), 6);

const moneyText = (value: bigint | undefined): string =>
  value === undefined ? '–' : `${cut(plainText(value, moneyDecimals), 2)} USDT`;
