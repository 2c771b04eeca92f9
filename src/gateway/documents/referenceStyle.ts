// The styles of the references: the bar with the navigation, and colours of the renderer that would
// have too little contrast with what is behind them (WCAG AA: 4.5). Its classes and variables are
// those that it documents for themes.

import { navigationStyle } from './documentStyle.ts';

/** Names of methods and of actions, by the renderer's class `tag-NAME`. */
const light = {
  get: '#127340',
  query: '#127340',
  put: '#95520a',
  patch: '#7a5c00',
  channel: '#955206',
  topic: '#955206',
  receive: '#2b731f',
  sub: '#2b731f',
} as const;
const dark = { send: '#9a9cff', pub: '#9a9cff', publish: '#9a9cff' } as const;

const tags = (scheme: 'light' | 'dark', colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `html:root.${scheme} .tag-${name}{--tag-color:${colour}}`)
    .join('');

export const referenceStyle =
  `${navigationStyle}` +
  // The renderer's own switch of colours wins over the system's.
  ':root.light{color-scheme:light;--panel:#f4f6f9;--line:#dce1e8;--text:#14181f;--muted:#5a6472}' +
  ':root.dark{color-scheme:dark;--panel:#161b24;--line:#2c3542;--text:#e4e8ee;--muted:#98a2b1}' +
  // A menu that hands the page to programs of other hosts.
  '[data-testid="page-actions"]{display:none}' +
  // Links and texts in examples; names of places in which nothing is typed yet.
  'html:root.light{--color-blue-6:#1a5fc8;--color-blue-7:#2257b5}' +
  '[data-testid="search-trigger"] *{color:var(--muted)}' +
  tags('light', light) +
  tags('dark', dark) +
  '#reference{min-height:90vh}#reference>p{padding:1rem;font:16px/1.6 system-ui,sans-serif}';
