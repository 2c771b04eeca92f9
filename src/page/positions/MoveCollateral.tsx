// Adds to the collateral of an isolated position, or takes out what it does not need.

import { useState } from 'preact/hooks';
import { gridOf } from '../../client/grid.ts';
import { NumberField } from '../components/NumberField.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { typedProblem } from '../messages/typedProblem.ts';
import { cut } from '../state/grouping.ts';
import { moveCollateral } from '../state/moveCollateral.ts';
import { readTyped } from '../state/readTyped.ts';
import { ActDialog } from './ActDialog.tsx';
import type { PositionDialogProps } from './CloseAtPrice.tsx';
import { positionActMessages } from './positionActMessages.ts';

/** Money counts in millionths. */
const moneyGrid = gridOf('0.000001');

export function MoveCollateral({ position, market, onClose }: PositionDialogProps) {
  const page = usePage();
  const text = positionActMessages();
  const [amount, setAmount] = useState('');
  const [isAdding, setAdding] = useState(true);
  const read = readTyped(amount, moneyGrid);
  const act = async (): Promise<string> => {
    if (read.kind !== 'steps') return text.missing;
    const money = isAdding ? read.steps : -read.steps;
    const failed = await moveCollateral(page, market.symbol, money);
    return failed === undefined ? '' : failureText(failed.error);
  };
  const available = page.account.balance.value?.available_balance ?? '0';
  return (
    <ActDialog title={text.collateralTitle(market.symbol)} onClose={onClose} act={act}>
      <dl class="act-figures">
        <dt>{text.collateralNow}</dt>
        <dd>{cut(position.collateral, 2)} USDT</dd>
        <dt>{text.available}</dt>
        <dd>{cut(available, 2)} USDT</dd>
      </dl>
      <fieldset class="choices" aria-label={text.collateralNow}>
        {[true, false].map((adds) => (
          <button
            key={String(adds)}
            type="button"
            class="choice"
            aria-pressed={isAdding === adds}
            onClick={() => setAdding(adds)}
          >
            {adds ? text.add : text.take}
          </button>
        ))}
      </fieldset>
      <NumberField
        label={text.amount}
        value={amount}
        onType={setAmount}
        unit="USDT"
        problem={typedProblem(read.kind, moneyGrid)}
      />
    </ActDialog>
  );
}
