// Does something when its hotkey is pressed, while hotkeys are switched on.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { type FocusPlace, type Hotkey, hotkeyOf } from './hotkeys.ts';

export type HotkeyActs = Readonly<Partial<Record<Hotkey, () => void>>>;

function focusPlace(element: Element | null): FocusPlace {
  // A question over the page is answered first.
  if (document.querySelector('dialog[open]') !== null) return 'other';
  if (element instanceof HTMLInputElement) {
    const isNumber = element.inputMode === 'decimal' || element.inputMode === 'numeric';
    if (isNumber) return 'number';
    return element.type === 'checkbox' || element.type === 'range' ? 'page' : 'other';
  }
  return element instanceof HTMLSelectElement ? 'other' : 'page';
}

export function useHotkeys(acts: HotkeyActs): void {
  const { preferences } = usePage();
  const isOn = preferences.hotkeys.value;
  const newest = useRef(acts);
  newest.current = acts;
  // At once: what is drawn as switched on must listen.
  useLayoutEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent): void => {
      // A key that is held down is pressed once.
      if (event.repeat) return;
      const name = hotkeyOf(event, focusPlace(document.activeElement));
      const act = name && newest.current[name];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}
