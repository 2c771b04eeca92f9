// The upper edge of the tables: a drag or the arrow keys give them more room.

import { useSignalEffect } from '@preact/signals';
import { usePage } from '../components/usePage.tsx';
import { tablesHeights } from '../state/preferences.ts';
import { layoutMessages } from './layoutMessages.ts';

/** Pixels that one press of an arrow key moves. */
const stepPixels = 16;

const { least, most } = tablesHeights;

export function TablesEdge() {
  const { tablesHeight } = usePage().preferences;
  useSignalEffect(() => {
    document.documentElement.style.setProperty('--tables-height', `${tablesHeight.value}px`);
  });
  const grow = (pixels: number): void => {
    tablesHeight.value = Math.round(Math.min(most, Math.max(least, tablesHeight.value + pixels)));
  };
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    grow(-event.movementY);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved; this one can.
    <div
      class="tables-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label={layoutMessages().tablesHeight}
      aria-valuenow={tablesHeight.value}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (direction === 0) return;
        event.preventDefault();
        grow(direction * stepPixels);
      }}
    />
  );
}
