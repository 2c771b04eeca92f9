// The text of the trading page: names of its files, and what the page must know of its deployment
// before it asks. Its content is made by its script.

import { chainNames } from '../../api/probes/chainNames.ts';

/** What the page must know of its deployment. */
export type PageFacts = {
  readonly chainId: number;
  readonly version: string;
  readonly isMainnet: boolean;
};

export type PageFiles = {
  readonly script: string;
  readonly style: string;
  /** What the script imports: a browser asks for it before it has read the script. */
  readonly imported: readonly string[];
};

export function pageHtml(facts: PageFacts, { script, style, imported }: PageFiles): string {
  const { chainId, version, isMainnet } = facts;
  const meta = {
    'evermark-chain': String(chainId),
    'evermark-chain-name': chainNames[chainId] ?? '',
    'evermark-version': version,
    'evermark-money': isMainnet ? 'real' : 'play',
  };
  const metas = Object.entries(meta).map(
    ([name, content]) => `<meta name="${name}" content="${escaped(content)}">`,
  );
  const preloads = imported.map((path) => `<link rel="modulepreload" href="${path}">`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="color-scheme" content="dark light">' +
    '<meta name="description" content="Evermark: perpetual futures">' +
    `${metas.join('')}<title>Evermark</title>` +
    `<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="${style}">` +
    preloads.join('') +
    `<script type="module" src="${script}"></script></head>` +
    '<body><div id="app"></div>' +
    '<noscript>This page needs JavaScript. Programs use <a href="/docs">the interface</a>.' +
    '</noscript></body></html>'
  );
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
