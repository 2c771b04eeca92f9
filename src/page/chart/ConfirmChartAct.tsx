// Asks before something that was done by hand on the chart takes effect.

import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { ActDialog } from '../positions/ActDialog.tsx';
import { ProtectPosition } from '../positions/ProtectPosition.tsx';
import { positionActMessages } from '../positions/positionActMessages.ts';
import { amendOrder, amendTrigger } from '../state/amendOrder.ts';
import { isShort } from '../state/closePosition.ts';
import { gridText } from '../state/grid.ts';
import { cut, grouping } from '../state/grouping.ts';
import { isBeyondLiquidation } from '../state/isBeyondLiquidation.ts';
import type { Market } from '../state/market.ts';
import { protectPosition } from '../state/protectPosition.ts';
import { chartActMessages } from './chartActMessages.ts';
import type { ChartAct } from './chartLines.ts';

/** What needs a question; the others are done at once. */
export type AskedAct = Exclude<ChartAct, { kind: 'removeOrder' | 'removeTrigger' }>;

export type ConfirmChartActProps = {
  readonly act: AskedAct;
  readonly market: Market;
  readonly onClose: () => void;
};

export function ConfirmChartAct({ act, market, onClose }: ConfirmChartActProps) {
  const page = usePage();
  const position = page.account.positions.value.get(market.symbol);
  switch (act.kind) {
    case 'protect':
      return position === undefined ? null : (
        <ProtectPosition position={position} market={market} onClose={onClose} />
      );
    case 'takeProfit':
    case 'stopLoss':
      return <ConfirmLeg act={act} market={market} onClose={onClose} />;
    default:
      return <ConfirmMove act={act} market={market} onClose={onClose} />;
  }
}

type Move = Extract<AskedAct, { kind: 'moveOrder' | 'moveTrigger' }>;
type Leg = Extract<AskedAct, { kind: 'takeProfit' | 'stopLoss' }>;

type Props<Act> = Omit<ConfirmChartActProps, 'act'> & { readonly act: Act };

function ConfirmMove({ act, market, onClose }: Props<Move>) {
  const page = usePage();
  const text = chartActMessages();
  const { sides, triggerTypes } = tradingMessages();
  const isOrder = act.kind === 'moveOrder';
  const before = isOrder ? act.order.price : act.trigger.trigger_price;
  const what = isOrder
    ? `${sides[act.order.side]} ${act.order.orig_qty} ${market.symbol}`
    : `${triggerTypes[act.trigger.order_type]}, ${sides[act.trigger.side]} ${market.symbol}`;
  const send = async (): Promise<string> => {
    const isDone = isOrder
      ? await amendOrder(page, act.order, { market, ticks: act.ticks })
      : await amendTrigger(page, act.trigger, { market, triggerTicks: act.ticks });
    // A refusal is in a notice; the line stands where it was.
    return isDone ? '' : tradingMessages().amendRefused;
  };
  return (
    <ActDialog title={text.moveTitle} onClose={onClose} act={send}>
      <p>{what}</p>
      <p>{text.fromTo(grouping(before), grouping(gridText(act.ticks, market.tick)))}</p>
    </ActDialog>
  );
}

function ConfirmLeg({ act, market, onClose }: Props<Leg>) {
  const page = usePage();
  const text = chartActMessages();
  const isStop = act.kind === 'stopLoss';
  const position = page.account.positions.value.get(market.symbol);
  const liquidation = position?.liquidation_price ?? '0';
  const isLong = position !== undefined && !isShort(position);
  const isBeyond = isStop && isBeyondLiquidation(act.ticks, { liquidation, isLong, market });
  const send = async (): Promise<string> => {
    const leg = { triggerTicks: act.ticks };
    const wish = isStop ? { stopLoss: leg } : { takeProfit: leg };
    const failed = await protectPosition(page, market, wish);
    return failed === undefined ? '' : failureText(failed.error);
  };
  return (
    <ActDialog
      title={isStop ? text.stopLossTitle : text.takeProfitTitle}
      onClose={onClose}
      act={send}
    >
      <p>{text.legText(grouping(gridText(act.ticks, market.tick)))}</p>
      {isBeyond && (
        <p class="act-warning" role="alert">
          {positionActMessages().beyond(cut(liquidation, market.tick.decimals))}
        </p>
      )}
    </ActDialog>
  );
}
