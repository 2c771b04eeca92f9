// The reference of requests and that of streams: a page whose script, Redoc, renders the OpenAPI or
// the AsyncAPI document in the browser. Everything comes from this listener.

import { hash } from 'node:crypto';
import { documentHead, documentNavigation, escaped } from './documentFrame.ts';
import { referenceStyle } from './referenceStyle.ts';

export type Reference = {
  readonly title: string;
  readonly path: string;
  /** Where the document is that the page shows. */
  readonly document: string;
  /** Where the script is that starts the renderer. */
  readonly script: string;
};

/** The page, and the headers that it is sent with: names and values alternate. */
export function referencePage({ title, path, document, script }: Reference): {
  readonly html: string;
  readonly headers: readonly string[];
} {
  const html =
    `${documentHead(title)}<style>${referenceStyle}</style>` +
    `<script type="module" src="${escaped(script)}"></script></head>` +
    `<body>${documentNavigation(path)}` +
    `<div id="reference" data-document="${escaped(document)}"><p>` +
    `<noscript>This page needs JavaScript. <a href="${escaped(document)}">The document</a> has ` +
    'all that it shows.</noscript></p></div></body></html>';
  return { html, headers: referenceHeaders };
}

/**
 * The script that starts the renderer; `renderer` is its place beside this one. It mends what
 * people who hear the page need: the menu is a landmark, and no level of headings is left out.
 */
export function startRenderer(renderer: string): string {
  return (
    '// With a Worker the search of Redoc would try to compile text, which the policy of this\n' +
    '// page forbids and the browser would report.\n' +
    'delete globalThis.Worker;\n' +
    `const { init } = await import('./${renderer}');\n` +
    "const place = document.getElementById('reference');\n" +
    'const give = (selector, attributes) => {\n' +
    '  for (const each of place.querySelectorAll(selector)) {\n' +
    '    for (const entry of Object.entries(attributes)) each.setAttribute(...entry);\n' +
    '  }\n' +
    '};\n' +
    'new MutationObserver(() => {\n' +
    "  give('.menu-content:not([role])', { role: 'navigation', 'aria-label': 'Contents' });\n" +
    "  give('h4:not([aria-level])', { 'aria-level': '3' });\n" +
    "  give('h5:not([aria-level])', { 'aria-level': '4' });\n" +
    '}).observe(place, { childList: true, subtree: true });\n' +
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
    `style-src ${hashOf(referenceStyle)} ${hashOf('')}`,
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
