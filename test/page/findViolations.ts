// What axe finds on the page as it is shown now: by every rule that it has, and by those of colours
// in other colours too.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const program = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Found = {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
};

type Axe = { readonly run: (options: object) => Promise<Found> };

/** The rules whose results can change when nothing but colours changes. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Sentences: the rule, the element, what to do. The page's policy forbids a script tag. */
export function findViolations(page: Page): Promise<string[]> {
  return findBy(page, {});
}

/** For a page on which `findViolations` looked, and whose colours have changed since. */
export function findViolationsOfColours(page: Page): Promise<string[]> {
  return findBy(page, { runOnly: { type: 'rule', values: colourRules } });
}

const themes = ['dark', 'light'] as const;
const palettes = ['standard', 'colourBlind'] as const;

type Paint = { readonly theme: string; readonly palette: string };

/**
 * On the trading page: by every rule as it is painted, and by those of colours in every other theme
 * and palette. A theme changes nothing but colours.
 */
export async function findViolationsOfThemes(page: Page): Promise<string[]> {
  const found = await findViolations(page);
  const shown = await page.evaluate(() => {
    const { theme = '', palette = '' } = document.documentElement.dataset;
    return { theme, palette };
  });
  await stopTransitions(page);
  for (const theme of themes) {
    for (const palette of palettes) {
      if (theme === shown.theme && palette === shown.palette) continue;
      await paint(page, { theme, palette });
      const ofColours = await findViolationsOfColours(page);
      found.push(...ofColours.map((each) => `${theme}, ${palette}: ${each}`));
    }
  }
  await paint(page, shown);
  return found;
}

/** As the settings do it; the chart, a drawing, stays as it is. */
const paint = (page: Page, colours: Paint): Promise<void> =>
  page.evaluate((given) => void Object.assign(document.documentElement.dataset, given), colours);

/** A colour that is on its way to another is none of the page's. */
const stopTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return;
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important; }');
    document.adoptedStyleSheets = [still];
  });

async function findBy(page: Page, which: object): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(program);
  // It does not gather what it finds to be right.
  const options = { ...which, resultTypes: ['violations'] };
  const { violations } = await page.evaluate(
    (given) => (window as unknown as { axe: Axe }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary}`),
  );
}
