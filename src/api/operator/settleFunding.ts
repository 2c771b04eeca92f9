// POST /operator/markets/{symbol}/settle-funding (OPS-1): settles funding now; the present is the
// boundary. It is for test deployments. Where the index comes from outside, funding has fixed
// hours, and no trader can move them.

import { Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import { must } from '../../std/assert.ts';
import { decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { priceText, rateText } from '../grid.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { marketParameter } from '../parameterSchema.ts';
import { isOwnFeed } from './confirmation.ts';

export const settleFunding = defineCommand({
  name: 'settleFunding',
  surface: 'operator',
  method: 'POST',
  path: '/operator/markets/:symbol/settle-funding',
  auth: 'operator',
  weight: 1,
  summary: 'Settles the funding of a market now; only with the feeds sim, manual and replay.',
  parameters: Type.Object({ symbol: marketParameter() }),
  failures: [...commandRejections.settleFunding, 'conflict'],
  response: exactObject({
    symbol: symbolText(),
    funding_rate: decimalText(),
    funding_time: timeNumber('The boundary.'),
    mark_price: decimalText(),
  }),
  command: ({ deployment }, { symbol: market }) => {
    const outside = sourceFromOutside(market);
    if (outside !== undefined) {
      const detail = `The index of ${market.symbol} comes from ${outside}: funding has its hours.`;
      return { reason: 'conflict', detail };
    }
    return {
      command: { kind: 'settleFunding', market: market.id },
      lane: 'reserve',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        const row = deployment.lastSettlement(market.id);
        const { rate, boundary, mark } = must(row, 'what was settled is in the view');
        return answerJson({
          symbol: market.symbol,
          funding_rate: rateText(rate),
          funding_time: boundary,
          mark_price: priceText(mark, market),
        });
      },
    };
  },
});

function sourceFromOutside({ terms }: Market): string | undefined {
  return terms.indexSources.find(({ source }) => !isOwnFeed(source))?.source;
}
