// POST /operator/markets (OPS-2): lists a market.

import { Type } from 'typebox';
import { must } from '../../std/assert.ts';
import { normalizeSymbol } from '../../units/symbol.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { decimalParameter, listParameter, optional, textParameter } from '../parameterSchema.ts';
import { completeTerms } from './completeTerms.ts';
import { confirmationRequired, sourceDangers } from './confirmation.ts';
import { marketRecord, marketRecordSchema } from './marketRecord.ts';
import { readGrid } from './readGrid.ts';
import { readTerms, termsParameters, wireRejection } from './termsParameters.ts';
import { unknownMember } from './unknownMember.ts';

const symbolLengthMax = 40;

export const listMarket = defineCommand({
  name: 'listMarket',
  surface: 'operator',
  method: 'POST',
  path: '/operator/markets',
  auth: 'operator',
  // Reads and checks every term of a market.
  weight: 10,
  summary: 'Lists a market; terms that are left out take their defaults.',
  parameters: Type.Object({
    symbol: textParameter({ lengthMax: symbolLengthMax }),
    base_asset: textParameter({ lengthMax: symbolLengthMax }),
    tick_size: decimalParameter(),
    lot_size: decimalParameter(),
    ...termsParameters,
    expected_index_sources: optional(
      listParameter({
        description: 'Empty, `[]`: confirms sources that would else be refused (OPS-4).',
      }),
    ),
  }),
  failures: [...commandRejections.listMarket, 'parameterNotAllowed', 'confirmationRequired'],
  response: marketRecordSchema,
  command: (
    { deployment, fields },
    { symbol, base_asset, tick_size, lot_size, expected_index_sources: expected, ...sent },
  ) => {
    const unknown = unknownMember(fields);
    if (unknown !== undefined) return unknown;
    const tick = readGrid(tick_size, 'tick_size');
    if ('reason' in tick) return tick;
    const lot = readGrid(lot_size, 'lot_size');
    if ('reason' in lot) return lot;
    const read = readTerms(sent);
    if ('reason' in read) return read;
    const names = { symbol: normalizeSymbol(symbol), baseAsset: base_asset };
    const [ownSource] = deployment.indexSourcesOf(names.symbol);
    const terms = completeTerms(read, must(ownSource, 'the operator can always set a price'));
    const dangers = sourceDangers(deployment, names, terms.indexSources);
    if (dangers.length > 0 && expected?.length !== 0) {
      return confirmationRequired(dangers, ['expected_index_sources=[]']);
    }
    const status = sent.status ?? 'TRADING';
    return {
      command: { kind: 'listMarket', ...names, tick, lot, terms, status },
      lane: 'reserve',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return wireRejection(outcome.rejection);
        const market = must(outcome.market, 'the market is in the outcome');
        return answerJson(marketRecord(market, deployment.exchange.time));
      },
    };
  },
});
