// The reference of requests and that of streams: a page whose script, Redoc, renders the OpenAPI or
// the AsyncAPI document in the browser. Everything comes from this listener.

import { hash } from 'node:crypto';
import { documentHead, documentNavigation, escaped } from './documentFrame.ts';
import { navigationStyle } from './documentStyle.ts';

export type Reference = {
  readonly title: string;
  readonly path: string;
  /** Where the document is that the page shows. */
  readonly document: string;
  /** Where the script is that starts the renderer. */
  readonly script: string;
};

const style =
  `${navigationStyle}` +
  // The renderer's own switch of colours wins over the system's.
  ':root.light{color-scheme:light;--panel:#f4f6f9;--line:#dce1e8;--text:#14181f;--muted:#5a6472}' +
  ':root.dark{color-scheme:dark;--panel:#161b24;--line:#2c3542;--text:#e4e8ee;--muted:#98a2b1}' +
  // A menu that hands the page to programs of other hosts.
  '[data-testid="page-actions"]{display:none}' +
  '#reference{min-height:90vh}#reference>p{padding:1rem;font:16px/1.6 system-ui,sans-serif}';

/** The page, and the headers that it is sent with: names and values alternate. */
export function referencePage({ title, path, document, script }: Reference): {
  readonly html: string;
  readonly headers: readonly string[];
} {
  const html =
    `${documentHead(title)}<style>${style}</style>` +
    `<script type="module" src="${escaped(script)}"></script></head>` +
    `<body>${documentNavigation(path)}` +
    `<div id="reference" data-document="${escaped(document)}"><p>` +
    `<noscript>This page needs JavaScript. <a href="${escaped(document)}">The document</a> has ` +
    'all that it shows.</noscript></p></div></body></html>';
  return { html, headers: referenceHeaders };
}

/** The script that starts the renderer; `renderer` is its place beside this one. */
export function startRenderer(renderer: string): string {
  return (
    '// With a Worker the search of Redoc would try to compile text, which the policy of this\n' +
    '// page forbids and the browser would report.\n' +
    'delete globalThis.Worker;\n' +
    `const { init } = await import('./${renderer}');\n` +
    "const place = document.getElementById('reference');\n" +
    'await init(place.dataset.document, { disableTelemetry: true }, place);\n'
  );
}

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/**
 * Redoc writes its styles by script into style elements that are empty in the document: the hash of
 * an empty text admits those, and no style that somebody writes into a page. It makes HTML of the
 * descriptions in our documents, so texts cannot be forbidden to become HTML here.
 */
const referenceHeaders: readonly string[] = [
  'Content-Security-Policy',
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${hashOf(style)} ${hashOf('')}`,
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
];
