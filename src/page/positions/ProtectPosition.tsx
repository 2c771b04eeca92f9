// The take-profit and the stop-loss of a position (ATT-9): set, replaced, removed.

import { useState } from 'preact/hooks';
import { NumberField } from '../components/NumberField.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { generalMessages } from '../messages/generalMessages.ts';
import { typedProblem } from '../messages/typedProblem.ts';
import type { Trigger } from '../state/account.ts';
import { isShort } from '../state/closePosition.ts';
import { positionFigures } from '../state/figures.ts';
import { gridText } from '../state/grid.ts';
import { cut, grouping, signed } from '../state/grouping.ts';
import { isBeyondLiquidation } from '../state/isBeyondLiquidation.ts';
import type { Market } from '../state/market.ts';
import type { LegWish } from '../state/orderWish.ts';
import { protectionOf, protectPosition } from '../state/protectPosition.ts';
import { readTyped } from '../state/readTyped.ts';
import { ActDialog } from './ActDialog.tsx';
import type { PositionDialogProps } from './CloseAtPrice.tsx';
import { positionActMessages } from './positionActMessages.ts';

type LegDraft = { readonly trigger: string; readonly price: string };

const draftOf = (leg: Trigger | undefined): LegDraft => ({
  trigger: leg?.trigger_price ?? '',
  // "0" means that the leg becomes a market order.
  price: leg === undefined || /^0(?:\.0*)?$/.test(leg.price) ? '' : leg.price,
});

type LegChange =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'set'; readonly leg: LegWish };

/** What the typed texts change in the leg that is there. */
function legChange(draft: LegDraft, before: Trigger | undefined, { tick }: Market): LegChange {
  const known = draftOf(before);
  if (draft.trigger === known.trigger && draft.price === known.price) return { kind: 'unchanged' };
  const [trigger, price] = [readTyped(draft.trigger, tick), readTyped(draft.price, tick)];
  if (trigger.kind === 'empty' && price.kind === 'empty') return { kind: 'removed' };
  if (trigger.kind !== 'steps') return { kind: 'wrong' };
  if (price.kind !== 'steps' && price.kind !== 'empty') return { kind: 'wrong' };
  const ticks = price.kind === 'steps' ? price.steps : undefined;
  return { kind: 'set', leg: { triggerTicks: trigger.steps, ticks } };
}

/** As the request has it: undefined leaves a leg, null removes it. */
const sentOf = (change: LegChange): LegWish | null | undefined =>
  change.kind === 'set' ? change.leg : change.kind === 'removed' ? null : undefined;

export function ProtectPosition({ position, market, onClose }: PositionDialogProps) {
  const page = usePage();
  const text = positionActMessages();
  const [known] = useState(() => protectionOf(page.account, market.symbol));
  const [profit, setProfit] = useState(() => draftOf(known.takeProfit));
  const [loss, setLoss] = useState(() => draftOf(known.stopLoss));
  const changes = [
    legChange(profit, known.takeProfit, market),
    legChange(loss, known.stopLoss, market),
  ] as const;
  const act = async (): Promise<string> => {
    if (changes.some(({ kind }) => kind === 'wrong')) return text.triggerMissing;
    if (changes.every(({ kind }) => kind === 'unchanged')) return text.nothingChanged;
    const [takeProfit, stopLoss] = changes.map(sentOf);
    const failed = await protectPosition(page, market, { takeProfit, stopLoss });
    return failed === undefined ? '' : failureText(failed.error);
  };
  const stop = readTyped(loss.trigger, market.tick);
  const { liquidation_price: liquidation } = position;
  const isBeyond =
    stop.kind === 'steps' &&
    isBeyondLiquidation(stop.steps, { liquidation, isLong: !isShort(position), market });
  const { decimals } = market.tick;
  return (
    <ActDialog title={text.protectTitle(market.symbol)} onClose={onClose} act={act}>
      <p class="muted">{text.protectText}</p>
      <PriceLines position={position} market={market} />
      <LegFields
        names={[text.takeProfit, text.takeProfitPrice]}
        draft={profit}
        onChange={setProfit}
        position={position}
        market={market}
      />
      <LegFields
        names={[text.stopLoss, text.stopLossPrice]}
        draft={loss}
        onChange={setLoss}
        position={position}
        market={market}
      />
      {isBeyond && (
        <p class="act-warning" role="alert">
          {text.beyond(cut(liquidation, decimals))}
        </p>
      )}
    </ActDialog>
  );
}

type LegFieldsProps = Omit<PositionDialogProps, 'onClose'> & {
  /** Of the trigger price and of the limit. */
  readonly names: readonly [string, string];
  readonly draft: LegDraft;
  readonly onChange: (draft: LegDraft) => void;
};

function LegFields({ names, draft, onChange, position, market }: LegFieldsProps) {
  const text = positionActMessages();
  const { tick } = market;
  const problem = (typed: string): string => typedProblem(readTyped(typed, tick).kind, tick);
  return (
    <div class="leg-fields">
      <NumberField
        label={names[0]}
        value={draft.trigger}
        onType={(trigger) => onChange({ ...draft, trigger })}
        problem={problem(draft.trigger)}
      />
      <NumberField
        label={names[1]}
        value={draft.price}
        onType={(price) => onChange({ ...draft, price })}
        placeholder={text.atMarket}
        problem={problem(draft.price)}
      />
      <button
        type="button"
        class="button-small"
        disabled={draft.trigger === '' && draft.price === ''}
        onClick={() => onChange({ trigger: '', price: '' })}
      >
        {text.remove}
      </button>
      <Expected draft={draft} position={position} market={market} />
    </div>
  );
}

type ExpectedProps = Pick<LegFieldsProps, 'draft' | 'position' | 'market'>;

const centsPerMoney = 10_000n;

/** What the position would bring at the limit of the leg, or where it fires. */
function Expected({ draft, position, market }: ExpectedProps) {
  const [trigger, limit] = [draft.trigger, draft.price].map((typed) =>
    readTyped(typed, market.tick),
  );
  const exit = limit?.kind === 'steps' ? limit : trigger;
  if (exit?.kind !== 'steps' || trigger?.kind !== 'steps') return <p class="leg-expected">–</p>;
  const price = gridText(exit.steps, market.tick);
  const { profit, returnBps } = positionFigures(position, market, price);
  return (
    <p class={`leg-expected ${profit < 0n ? 'down' : 'up'}`}>
      {positionActMessages().expected(signed(profit / centsPerMoney, 2))}
      {returnBps !== undefined && ` (${signed(returnBps, 2)}%)`}
    </p>
  );
}

/** The prices between which the legs belong. */
function PriceLines({ position, market }: Omit<PositionDialogProps, 'onClose'>) {
  const { tickers } = usePage();
  const text = positionActMessages();
  const mark = tickers.of(market.symbol).value?.mark_price ?? position.mark_price;
  const price = (value: string): string => cut(value, market.tick.decimals);
  const { entry_price, liquidation_price } = position;
  const hasLiquidation = !/^0(?:\.0*)?$/.test(liquidation_price);
  return (
    <dl class="act-figures">
      <dt>{text.entry}</dt>
      <dd>{price(entry_price)}</dd>
      <dt>{text.mark}</dt>
      <dd>{grouping(mark)}</dd>
      <dt>{text.liquidation}</dt>
      <dd class="warn">
        {hasLiquidation ? price(liquidation_price) : generalMessages().neverLiquidated}
      </dd>
    </dl>
  );
}
