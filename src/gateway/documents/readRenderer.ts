// The program of Redoc as we serve it: its one file, without the pictures that it would load from
// another host.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assert } from '../../std/assert.ts';

/** Its name, as its badge shows it. */
const badge =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="14">' +
      '<text y="11" font-family="sans-serif" font-size="11" fill="#7f8896">Redocly</text></svg>',
  );
const pictures = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;

export function readRenderer(): string {
  const path = fileURLToPath(import.meta.resolve('redoc/bundles/redoc.standalone.js'));
  const text = readFileSync(path, 'utf8');
  const served = text.replace(pictures, badge);
  assert(served !== text, 'the renderer has the pictures that are replaced');
  return served;
}
