// The colours of the chart, read from the styles of the page: the library draws on a canvas.

import type { ChartColours } from './priceChart.ts';

export function chartColours(root: Element): ChartColours {
  const style = getComputedStyle(root);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    panel: of('panel'),
    text: of('muted'),
    line: of('grid'),
    up: of('up'),
    down: of('down'),
    upSoft: of('up-soft'),
    downSoft: of('down-soft'),
  };
}
