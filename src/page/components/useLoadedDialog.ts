// A dialog whose program is loaded when it is opened first, so that the page opens sooner.

import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { failureText } from '../messages/failureText.ts';
import { usePage } from './usePage.tsx';

export type LoadedDialog<Props> = {
  /** Undefined while it is closed. */
  readonly Shown: ComponentType<Props> | undefined;
  /** Without a network it cannot be loaded; a notice then says so. */
  readonly show: () => Promise<void>;
  readonly hide: () => void;
};

export function useLoadedDialog<Props>(
  load: () => Promise<ComponentType<Props>>,
): LoadedDialog<Props> {
  const { notices } = usePage();
  // A component is a function, which a state would call.
  const [open, setOpen] = useState<{ readonly Shown: ComponentType<Props> }>();
  return {
    Shown: open?.Shown,
    show: async () => {
      try {
        setOpen({ Shown: await load() });
      } catch (error) {
        notices.say({ kind: 'bad', title: failureText(error), text: '' });
      }
    },
    hide: () => setOpen(undefined),
  };
}
