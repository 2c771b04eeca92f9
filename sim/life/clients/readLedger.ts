// Reads its own ledger natively (NAT-1): each row must have been made, each must lead to the next,
// and when the list begins with the first row, none may be missing.

import { ledgerKey, ledgerRowKey, ledgerRowValue } from '../oracles/keys.ts';
import type { Seen } from '../oracles/timelines.ts';
import { type Actor, pick } from './actor.ts';
import type { Body } from './createCaller.ts';

/**
 * The last rows of the ledger, each leading to the next (BAL-3); with no older ones, all of them.
 */
export function readLedger(actor: Actor): void {
  const { diary, prng } = actor;
  const { account } = actor.key;
  const limit = pick(prng, [20, 100, 1000]);
  const seen = (rows: Body): Seen[] => {
    const shown = rows.map((row: Body) => ({
      key: ledgerRowKey(row.id),
      value: ledgerRowValue(row),
    }));
    if (rows.length >= limit) return shown;
    const value = rows.length === 0 ? '' : `${rows.length} ${rows.at(-1).id}`;
    return [...shown, { key: ledgerKey(account), value }];
  };
  actor.ask(
    {
      name: 'ledger',
      method: 'GET',
      path: '/api/v1/ledger',
      parameters: { limit },
      credential: 'token',
      seen: ({ ok, body }) => (ok ? [seen(body)] : []),
    },
    (received) => {
      if (received?.ok !== true) return;
      const gap = gapIn(received.body);
      if (gap !== undefined) diary.wrong.push(`the ledger of ${account} has a gap at ${gap}`);
    },
  );
}

/** The first row that does not follow from the one before. */
function gapIn(rows: Body): string | undefined {
  let before: bigint | undefined;
  for (const { id, amount, balance } of rows) {
    const after = microsOf(balance);
    if (before !== undefined && before + microsOf(amount) !== after) return id;
    before = after;
  }
  return undefined;
}

/** A decimal of USDT in millionths. */
export function microsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const micros = BigInt(whole + fraction.padEnd(6, '0'));
  return text.startsWith('-') ? -micros : micros;
}
