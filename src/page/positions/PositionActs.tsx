// What can be done with a position, as buttons of its row. A dialog is loaded when it is opened
// first.

import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import type { Position } from '../state/account.ts';
import { closePosition } from '../state/closePosition.ts';
import type { Market } from '../state/market.ts';
import { ActButton } from '../tables/ActButton.tsx';
import { tableMessages } from '../tables/tableMessages.ts';
import type { PositionDialogProps } from './CloseAtPrice.tsx';
// Styles of what is loaded later do not come with it.
import './positions.css';
import { positionMessages } from './positionMessages.ts';

const dialogs = {
  limit: async () => (await import('./CloseAtPrice.tsx')).CloseAtPrice,
  reverse: async () => (await import('./ReversePosition.tsx')).ReversePosition,
  protect: async () => (await import('./ProtectPosition.tsx')).ProtectPosition,
  collateral: async () => (await import('./MoveCollateral.tsx')).MoveCollateral,
} as const satisfies Readonly<Record<string, () => Promise<ComponentType<PositionDialogProps>>>>;

type Act = keyof typeof dialogs;

type PositionActsProps = { readonly position: Position; readonly market: Market | undefined };

export function PositionActs({ position, market }: PositionActsProps) {
  const page = usePage();
  const [open, setOpen] = useState<{ readonly Dialog: ComponentType<PositionDialogProps> }>();
  const text = positionMessages();
  const isIsolated = position.margin_mode === 'isolated';
  const acts: readonly Act[] = ['limit', 'reverse', 'protect', ...(isIsolated ? collateral : [])];
  return (
    <span class="position-acts">
      <ActButton name={tableMessages().close} act={() => closePosition(page, position)} />
      {market !== undefined &&
        acts.map((act) => (
          <ActButton
            key={act}
            name={text[act]}
            act={async () => setOpen({ Dialog: await dialogs[act]() })}
          />
        ))}
      {open !== undefined && market !== undefined && (
        <open.Dialog position={position} market={market} onClose={() => setOpen(undefined)} />
      )}
    </span>
  );
}

const collateral: readonly Act[] = ['collateral'];
