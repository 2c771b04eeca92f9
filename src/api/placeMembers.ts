// Where a deposit or a withdrawal is on the chain, as records show it.

import { Type } from 'typebox';
import type { Exchange } from '../engine/views/exchange.ts';
import { countNumber, orNull } from './answerSchema.ts';
import type { ChainPlace, ChainStanding } from './deployment.ts';

/** What a record of money needs to show its place on the chain. */
export type ChainView = {
  readonly exchange: Exchange;
  readonly chain: () => ChainStanding | undefined;
};

export const placeMembers = {
  transaction_hash: orNull(
    Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
    'null: not known. It comes from the logs of nodes, for the newest rows, and decides nothing.',
  ),
  block: orNull(countNumber('Of that transaction; it is final.'), 'null: not known.'),
} as const;

type PlaceRecord = { readonly transaction_hash: string | null; readonly block: number | null };

export function placeOf(place: ChainPlace | undefined): PlaceRecord {
  return { transaction_hash: place?.transaction ?? null, block: place?.block ?? null };
}
