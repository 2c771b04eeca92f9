// PATCH /operator/markets/{symbol} (OPS-2, SYM-1): changes a market's terms or status. The members
// of the grid never change; sending their present values is allowed.

import { Type } from 'typebox';
import type { JudgedChange } from '../../engine/command.ts';
import { type Grid, marketStatuses } from '../../engine/marketTerms.ts';
import type { Rejection } from '../../engine/rejection.ts';
import type { Market } from '../../engine/views/market.ts';
import { must } from '../../std/assert.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import {
  choiceParameter,
  decimalParameter,
  listParameter,
  marketParameter,
  optional,
  textParameter,
} from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';
import { judgeChange } from './judgeChange.ts';
import { marketRecord, marketRecordSchema } from './marketRecord.ts';
import { readGrid } from './readGrid.ts';
import { readTerms, termsParameters, wireRejection } from './termsParameters.ts';
import { unknownMember } from './unknownMember.ts';

const assetLengthMax = 40;

const confirms = 'The present value: confirms a change that would else be refused (OPS-4).';

const expectedParameters = {
  expected_index_sources: optional(listParameter({ description: confirms })),
  expected_mark_clamp: optional(decimalParameter({ description: confirms })),
  expected_status: optional(choiceParameter(marketStatuses, { description: confirms })),
};

export const changeMarket = defineCommand({
  name: 'changeMarket',
  surface: 'operator',
  method: 'PATCH',
  path: '/operator/markets/:symbol',
  auth: 'operator',
  // Reads and checks every term of a market; 600 µs when all of them are sent.
  weight: 10,
  summary: "Changes a market's terms or status; base asset, tick and lot size never change.",
  parameters: Type.Object({
    symbol: marketParameter(),
    base_asset: optional(textParameter({ lengthMax: assetLengthMax })),
    tick_size: optional(decimalParameter()),
    lot_size: optional(decimalParameter()),
    ...termsParameters,
    ...expectedParameters,
  }),
  failures: [
    ...commandRejections.changeMarket,
    'parameterMissing',
    'parameterNotAllowed',
    'conflict',
    'confirmationRequired',
  ],
  response: marketRecordSchema,
  command: (context, { symbol: market, base_asset, tick_size, lot_size, ...sent }) => {
    const { deployment, fields } = context;
    const fixed =
      unknownMember(fields) ??
      fixedAsset(market, base_asset) ??
      fixedGrid('tick_size', tick_size, market.tick) ??
      fixedGrid('lot_size', lot_size, market.lot);
    if (fixed !== undefined) return fixed;
    const terms = readTerms(sent);
    if ('reason' in terms) return terms;
    const { status } = sent;
    const changes = Object.keys(terms).length > 0 || status !== undefined;
    if (!changes) return { reason: 'parameterMissing', name: 'terms or status' };
    const expected = {
      index_sources: sent.expected_index_sources,
      mark_clamp: sent.expected_mark_clamp,
      status: sent.expected_status,
    };
    const judge = () => judgeChange(deployment, market, { terms, status, expected });
    const judged = judge();
    if ('reason' in judged) return judged;
    return {
      command: { kind: 'changeMarket', market: market.id, terms, status, judged },
      lane: 'reserve',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return judgedAgain(outcome.rejection, judge);
        const changed = must(outcome.market, 'the market is in the outcome');
        return answerJson(marketRecord(changed, deployment.exchange.time));
      },
    };
  },
});

/**
 * When the engine rejected the change because other commands came first, judges it again by the
 * present state.
 */
function judgedAgain(
  rejection: Rejection,
  judge: () => Refusal | JudgedChange,
): Rejection | Refusal {
  const { reason } = rejection;
  if (reason !== 'termsChanged' && reason !== 'wouldLiquidate') return wireRejection(rejection);
  const judged = judge();
  return 'reason' in judged ? judged : rejection;
}

function fixedAsset(market: Market, sent: string | undefined): Refusal | undefined {
  if (sent === undefined || sent === market.baseAsset) return undefined;
  return { reason: 'conflict', detail: 'The base_asset of a market never changes.' };
}

function fixedGrid(name: string, sent: string | undefined, grid: Grid): Refusal | undefined {
  if (sent === undefined) return undefined;
  const read = readGrid(sent, name);
  if ('reason' in read) return read;
  if (read.decimals === grid.decimals && read.step === grid.step) return undefined;
  return { reason: 'conflict', detail: `The ${name} of a market never changes.` };
}
