// What every page of the documentation has around it: its head, the way to the other pages, and
// styles for text. Such a page runs nothing.

import { documentStyle } from './documentStyle.ts';

export type DocumentPage = {
  /** Of the browser's window; the page shows its own heading. */
  readonly title: string;
  /** Its place in the navigation. */
  readonly path: string;
  /** HTML of what the page says. */
  readonly body: string;
};

const places = [
  ['/docs/start', 'Getting started'],
  ['/docs', 'Requests'],
  ['/docs/streams', 'Streams'],
  ['/docs/errors', 'Errors'],
  ['/docs/rules', 'Rules'],
] as const;

export function documentFrame({ title, path, body }: DocumentPage): string {
  return (
    `${documentHead(title)}<style>${documentStyle}</style></head><body>` +
    `<a class="skip" href="#content">Skip to the content</a>${documentNavigation(path)}` +
    `<main id="content">${body}</main></body></html>`
  );
}

/** Up to what a page adds to its own head. */
export function documentHead(title: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="color-scheme" content="light dark">' +
    `<title>${escaped(title)} · Evermark</title><link rel="icon" href="/favicon.ico">`
  );
}

/** A rule's page belongs to the rules. */
export function documentNavigation(path: string): string {
  const links = places.map(([place, name]) => {
    const isHere = path === place || (place !== '/docs' && path.startsWith(`${place}/`));
    return `<a href="${place}"${isHere ? ' aria-current="page"' : ''}>${name}</a>`;
  });
  return (
    '<header><a class="brand" href="/">Evermark</a>' +
    `<nav aria-label="Documentation">${links.join('')}</nav></header>`
  );
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
