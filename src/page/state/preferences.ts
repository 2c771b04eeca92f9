// The settings of the person at the page. They stay in the browser.

import type { Signal } from '@preact/signals';
import { type Language, languages } from '../messages/language.ts';
import { keptSignal } from './keptSignal.ts';
import type { Store } from './store.ts';

export const themes = ['dark', 'light'] as const;
export const palettes = ['standard', 'colourBlind'] as const;
export const clocks = ['local', 'utc'] as const;
export const sizeUnits = ['base', 'quote'] as const;
/** The parts of the page that a person may hide. */
export const parts = ['book', 'trades', 'tables'] as const;
export type Part = (typeof parts)[number];

export type Preferences = {
  readonly language: Signal<Language>;
  readonly theme: Signal<(typeof themes)[number]>;
  /** Green and red, or blue and orange. */
  readonly palette: Signal<(typeof palettes)[number]>;
  readonly clock: Signal<(typeof clocks)[number]>;
  /** In what the book and the ticket show quantities. */
  readonly sizeUnit: Signal<(typeof sizeUnits)[number]>;
  /** Whether changed levels of the book flash. */
  readonly flash: Signal<boolean>;
  /** Whether keys place and cancel orders; off until the person switches it on. */
  readonly hotkeys: Signal<boolean>;
  /** Height of the tables at the bottom, in pixels. */
  readonly tablesHeight: Signal<number>;
  /** On a desktop; a phone shows one part at a time. */
  readonly hiddenParts: Signal<readonly Part[]>;
};

export type PreferredByPlatform = { readonly language: string; readonly prefersLight: boolean };

/** Pixels. */
export const tablesHeights = { least: 120, usual: 264, most: 640 } as const;

export function createPreferences(store: Store, platform: PreferredByPlatform): Preferences {
  const oneOf = <T extends string>(name: string, values: readonly T[], usual: T): Signal<T> =>
    keptSignal(store, `evermark.${name}`, (kept) => values.find((each) => each === kept) ?? usual);
  const spoken = languages.find((each) => platform.language.toLowerCase().startsWith(each));
  return {
    language: oneOf('language', languages, spoken ?? 'en'),
    theme: oneOf('theme', themes, platform.prefersLight ? 'light' : 'dark'),
    palette: oneOf('palette', palettes, 'standard'),
    clock: oneOf('clock', clocks, 'local'),
    sizeUnit: oneOf('sizeUnit', sizeUnits, 'base'),
    flash: keptSignal(store, 'evermark.flash', (kept) => kept !== false),
    hotkeys: keptSignal(store, 'evermark.hotkeys', (kept) => kept === true),
    tablesHeight: keptSignal(store, 'evermark.tablesHeight', (kept) =>
      typeof kept === 'number' && kept >= tablesHeights.least && kept <= tablesHeights.most
        ? kept
        : tablesHeights.usual,
    ),
    hiddenParts: keptSignal(store, 'evermark.hiddenParts', (kept) =>
      Array.isArray(kept) ? parts.filter((part) => kept.includes(part)) : [],
    ),
  };
}
