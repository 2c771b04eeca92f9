// Which bytes of scripts and styles a visit uses, as the browser counts them.

import type { CDPSession } from 'playwright-core';

export type FileUse = {
  readonly name: string;
  /** Not compressed. */
  readonly bytes: number;
  readonly used: number;
};

type Sheet = { readonly styleSheetId: string; readonly sourceURL: string; readonly length: number };

/**
 * Begins to count, before the page is opened. What it gives ends the count and gives the files of
 * the page, the largest first.
 */
export async function countUse(session: CDPSession): Promise<() => Promise<FileUse[]>> {
  const sheets: Sheet[] = [];
  session.on('CSS.styleSheetAdded', ({ header }) => sheets.push(header));
  for (const domain of ['DOM', 'CSS', 'Profiler'] as const) await session.send(`${domain}.enable`);
  await session.send('CSS.startRuleUsageTracking');
  await session.send('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  return async () => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    const scripts = result
      .filter(({ url }) => isOfPage(url))
      .map(({ url, functions }) => useOfScript(url, functions));
    const { ruleUsage } = await session.send('CSS.stopRuleUsageTracking');
    const styles = sheets
      .filter(({ sourceURL }) => isOfPage(sourceURL))
      .map(({ styleSheetId, sourceURL, length }) => {
        const rules = ruleUsage.filter((each) => each.styleSheetId === styleSheetId && each.used);
        const used = rules.reduce((sum, each) => sum + each.endOffset - each.startOffset, 0);
        return { name: pathOf(sourceURL), bytes: length, used };
      });
    return [...scripts, ...styles].sort((a, b) => b.bytes - a.bytes);
  };
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');
const isOfPage = (url: string): boolean => pathOf(url).startsWith('/page/');

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number };
type Functions = readonly { readonly ranges: readonly Range[] }[];

/** Ranges lie in each other; the innermost one says whether its bytes were used. */
function useOfScript(url: string, functions: Functions): FileUse {
  const fromOutside = functions
    .flatMap(({ ranges }) => ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const bytes = Math.max(...fromOutside.map(({ endOffset }) => endOffset));
  const isUsed = new Uint8Array(bytes);
  for (const { startOffset, endOffset, count } of fromOutside) {
    isUsed.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  return { name: pathOf(url), bytes, used: isUsed.reduce((sum, each) => sum + each, 0) };
}
