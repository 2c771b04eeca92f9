// PUT /operator/fee-tiers (MAR-6): replaces the whole table; the new one applies at once. The
// engine checks the table.

import { Type } from 'typebox';
import type { FeeTier } from '../../engine/feeTier.ts';
import { feeTiersMax } from '../../engine/limits.ts';
import { exactObject } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { feeTierSchema, feeTiersRecord } from '../feeTiersRecord.ts';
import { isFields, scalarOf, type Value } from '../fields.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { listParameter } from '../parameterSchema.ts';
import { readExactMoney, readExactRate } from '../readExactMoney.ts';
import { isRefusal } from '../readParameters.ts';
import type { Refusal } from '../refusal.ts';

export const setFeeTiers = defineCommand({
  name: 'setFeeTiers',
  surface: 'operator',
  method: 'PUT',
  path: '/operator/fee-tiers',
  auth: 'operator',
  weight: 1,
  summary: 'Replaces the table of fee tiers.',
  parameters: Type.Object({
    tiers: listParameter({
      description:
        'Of {min_volume, maker_discount, taker_discount}, by rising volume; the first begins at ' +
        '0 without discounts.',
    }),
  }),
  failures: [...commandRejections.setFeeTiers, 'parameterIllegal', 'quantityInvalid'],
  response: exactObject({ tiers: Type.Array(feeTierSchema) }),
  command: ({ deployment: { exchange } }, { tiers: sent }) => {
    if (sent.length > feeTiersMax) {
      return { reason: 'feeTiersInvalid', detail: `at most ${feeTiersMax} tiers` };
    }
    const tiers: FeeTier[] = [];
    for (const item of sent) {
      const tier = readTier(item);
      if (isRefusal(tier)) return tier;
      tiers.push(tier);
    }
    return {
      command: { kind: 'setFeeTiers', tiers },
      lane: 'reserve',
      answer: (outcome) =>
        outcome.kind === 'rejected'
          ? outcome.rejection
          : answerJson({ tiers: feeTiersRecord(exchange.feeTiers) }),
    };
  },
});

function readTier(item: Value): FeeTier | Refusal {
  const malformed = { reason: 'parameterMalformed', name: 'tiers' } as const;
  if (!isFields(item)) return malformed;
  const volume = scalarOf(item, 'min_volume');
  const maker = scalarOf(item, 'maker_discount');
  const taker = scalarOf(item, 'taker_discount');
  if (volume === undefined || maker === undefined || taker === undefined) return malformed;
  const minVolume = readExactMoney(volume, 'min_volume');
  if (typeof minVolume !== 'number') return minVolume;
  const makerDiscount = readExactRate(maker, 'maker_discount');
  if (typeof makerDiscount !== 'number') return makerDiscount;
  const takerDiscount = readExactRate(taker, 'taker_discount');
  if (typeof takerDiscount !== 'number') return takerDiscount;
  return { minVolume, makerDiscount, takerDiscount };
}
