// A real Chromium for the tests of the page: the system's. A machine without one fails loudly.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.EVERMARK_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The same pixels on every machine.
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
];

const fonts = join(import.meta.dirname, 'fonts.conf');

/** Headless, with a profile of its own that ends with it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = places.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      'The tests of the page need Chromium: install it (Debian: apt-get install chromium), ' +
        'or name its program in EVERMARK_CHROMIUM.',
    );
  }
  const env = { ...process.env, FONTCONFIG_FILE: fonts };
  return chromium.launch({ executablePath, args: flags, env });
}
