// Messages of the settings, loaded with them.

import { translated } from '../messages/language.ts';

export const settingsMessages = translated('settings', {
  theme: 'Theme',
  themes: { dark: 'Dark', light: 'Light' },
  palette: 'Colours of gain and loss',
  palettes: { standard: 'Green and red', colourBlind: 'Blue and orange' },
  clock: 'Times',
  clocks: { local: 'Local time', utc: 'UTC' },
  language: 'Language',
  flash: 'Flash changes in the book',
  shown: 'Shown parts',
  parts: { book: 'Order book', trades: 'Trades', tables: 'Account tables' },
  usualLayout: 'Usual layout',
});
