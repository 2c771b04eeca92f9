// Closes a position, or a part of it, by a limit order that only reduces.

import { useState } from 'preact/hooks';
import { NumberField } from '../components/NumberField.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { typedProblem } from '../messages/typedProblem.ts';
import type { Position } from '../state/account.ts';
import { closingOrder, lotsOfPosition } from '../state/closePosition.ts';
import { gridText } from '../state/grid.ts';
import type { Market } from '../state/market.ts';
import { tryToPlace } from '../state/placeOrder.ts';
import { readTyped } from '../state/readTyped.ts';
import { ActDialog } from './ActDialog.tsx';
import { positionActMessages } from './positionActMessages.ts';

export type PositionDialogProps = {
  readonly position: Position;
  readonly market: Market;
  readonly onClose: () => void;
};

export function CloseAtPrice({ position, market, onClose }: PositionDialogProps) {
  const page = usePage();
  const text = positionActMessages();
  const { tick, lot, symbol } = market;
  const held = lotsOfPosition(position, market);
  const [price, setPrice] = useState(
    () => page.tickers.of(symbol).peek()?.mark_price ?? position.mark_price,
  );
  const [size, setSize] = useState(() => gridText(held, lot));
  const [ticks, lots] = [readTyped(price, tick), readTyped(size, lot)];
  const isTooLarge = lots.kind === 'steps' && lots.steps > held;
  const act = async (): Promise<string> => {
    if (ticks.kind !== 'steps' || lots.kind !== 'steps') return text.missing;
    if (isTooLarge) return text.tooLarge(gridText(held, lot));
    const wish = closingOrder(position, market, { ticks: ticks.steps, lots: lots.steps });
    const failed = await tryToPlace(page, wish);
    return failed === undefined ? '' : failureText(failed.error);
  };
  return (
    <ActDialog title={text.closeTitle(symbol)} onClose={onClose} act={act}>
      <NumberField
        label={text.price}
        value={price}
        onType={setPrice}
        problem={typedProblem(ticks.kind, tick)}
      />
      <NumberField
        label={text.size}
        value={size}
        onType={setSize}
        unit={market.base}
        problem={isTooLarge ? text.tooLarge(gridText(held, lot)) : typedProblem(lots.kind, lot)}
      />
    </ActDialog>
  );
}
