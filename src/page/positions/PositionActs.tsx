// What can be done with a position: buttons of its row, and figures of it that a click changes.

import type { ComponentChildren, ComponentType } from 'preact';
import { useLoadedDialog } from '../components/useLoadedDialog.ts';
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
  return (
    <span class="position-acts">
      <ActButton name={tableMessages().close} act={() => closePosition(page, position)} />
      <DialogAct act="limit" position={position} market={market} />
      <DialogAct act="reverse" position={position} market={market} />
    </span>
  );
}

type ChangeableProps = PositionActsProps & {
  readonly act: 'protect' | 'collateral';
  readonly children: ComponentChildren;
};

/** A figure of a position that a click changes, as soon as its market is known. */
export function Changeable({ children, ...of }: ChangeableProps) {
  return of.market === undefined ? children : <DialogAct {...of}>{children}</DialogAct>;
}

type DialogActProps = PositionActsProps & {
  readonly act: Act;
  readonly children?: ComponentChildren;
};

/** The button of an act, or the figure that it changes, and its dialog. */
function DialogAct({ act, position, market, children }: DialogActProps) {
  const { Shown, show, hide } = useLoadedDialog<PositionDialogProps>(dialogs[act]);
  if (market === undefined) return null;
  const name = positionMessages()[act];
  return (
    <>
      {children === undefined ? (
        <ActButton name={name} act={show} />
      ) : (
        <button type="button" class="amend" title={name} onClick={() => void show()}>
          <span class="hidden-text">{name}: </span>
          {children}
        </button>
      )}
      {Shown !== undefined && <Shown position={position} market={market} onClose={hide} />}
    </>
  );
}
