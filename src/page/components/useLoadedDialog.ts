// A dialog, or a field that opens in its place, whose program is loaded when it is opened first, so
// that the page opens sooner.

import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { failureText } from '../messages/failureText.ts';
import { loadPart } from '../state/loadPart.ts';
import { usePage } from './usePage.tsx';

export type LoadedDialog<Props> = {
  /** Undefined while it is closed. */
  readonly Shown: ComponentType<Props> | undefined;
  /** When it cannot be loaded, a notice says why. */
  readonly show: () => Promise<void>;
  readonly hide: () => void;
};

export function useLoadedDialog<Props>(
  load: () => Promise<ComponentType<Props>>,
): LoadedDialog<Props> {
  const { notices, options } = usePage();
  // A component is a function, which a state would call.
  const [open, setOpen] = useState<{ readonly Shown: ComponentType<Props> }>();
  return {
    Shown: open?.Shown,
    show: async () => {
      // A click that shows nothing yet is not lost: the pointer says that something comes.
      const root = document.documentElement;
      root.toggleAttribute('data-waits', true);
      try {
        setOpen({ Shown: await loadPart(options, load) });
      } catch (error) {
        notices.say({ kind: 'bad', title: failureText(error), text: '' });
      } finally {
        root.toggleAttribute('data-waits', false);
      }
    },
    hide: () => setOpen(undefined),
  };
}
