// What a list of sessions calls the client of a login (AUTH-11): enough for its owner to recognise
// it, and no more, because the log keeps it.

import { sessionAgentMax } from '../../engine/limits.ts';

/** Beyond this nothing is read. Browsers send less than 300 characters. */
const readLengthMax = 400;
/** The most particular first: each of these also calls itself by the names after it. */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdgA?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)/],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/**
 * A browser's name, main version and system, as `Firefox 142, Linux`; of any other program the
 * first word of what it calls itself, in printable ASCII, at most 80 characters.
 */
export function clientName(userAgent: string): string {
  const read = userAgent.slice(0, readLengthMax);
  const [first = ''] = read.trim().split(/\s/, 1);
  if (!first.startsWith('Mozilla/')) {
    return first.replace(/[^!-~]/g, '?').slice(0, sessionAgentMax);
  }
  const system = systems.find(([, pattern]) => pattern.test(read))?.[0];
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(read)?.[1];
    if (version === undefined) continue;
    const shown = `${name} ${version.slice(0, 4)}`;
    return system === undefined ? shown : `${shown}, ${system}`;
  }
  return system === undefined ? 'Browser' : `Browser, ${system}`;
}
