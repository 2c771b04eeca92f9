// What axe finds on the page as it is shown now: every rule that it has, or those of colours alone.

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
