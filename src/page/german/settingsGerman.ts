// German of settingsMessages.

import type { settingsMessages } from '../layout/settingsMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const settingsGerman: TextsOf<typeof settingsMessages> = {
  theme: 'Darstellung',
  themes: { dark: 'Dunkel', light: 'Hell' },
  palette: 'Farben für Gewinn und Verlust',
  palettes: { standard: 'Grün und Rot', colourBlind: 'Blau und Orange' },
  clock: 'Zeiten',
  clocks: { local: 'Ortszeit', utc: 'UTC' },
  language: 'Sprache',
  flash: 'Änderungen im Orderbuch hervorheben',
  shown: 'Gezeigte Teile',
  parts: { book: 'Orderbuch', trades: 'Trades', tables: 'Tabellen des Kontos' },
  usualLayout: 'Übliche Aufteilung',
};
