// Asks the holder of the lease to give it to another process, and waits until that one has it.

import type pg from 'pg';
import { stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import {
  membersStatement,
  readMembers,
  removeWishStatement,
  wishStatement,
} from './memberStatement.ts';
import { chooseHeir, lifeOf } from './members.ts';
import type { Statement } from './statement.ts';
import { watchMembers } from './watchMembers.ts';

/** Thrown with a sentence for the operator: the lease stays where it is. */
export class HandoverRefused extends Error {
  override name = 'HandoverRefused';
}

/** The holder looks twice a second. */
const waitMs = 5000;
const lookEveryMs = 20;

const leaseQuery = 'select holder, renewal, released from evermark.lease';
const lastQuery = 'select coalesce(max(position), 0)::bigint as position from evermark.batch';

/**
 * Gives the process that has the lease now: the one that is named, or else the most advanced one.
 * Throws `HandoverRefused`.
 */
export async function askHandover(
  client: pg.Client,
  { named, scheduler }: { readonly named: string | undefined; readonly scheduler: Scheduler },
): Promise<string> {
  const sights = await watchMembers(client, scheduler);
  const lease = await oneRow(client, leaseQuery);
  const holder = lease.holder as string;
  const sight = sights.get(holder);
  if (lease.released === true || sight === undefined || lifeOf(sight, stopwatchMs()) !== 'live') {
    throw new HandoverRefused('No process that lives holds the lease, so none can give it.');
  }
  const position = (await oneRow(client, lastQuery)).position as number;
  const giver = { ...sight.row, position };
  const nowMs = stopwatchMs();
  const choice = chooseHeir(sights, giver, { named, nowMs });
  if (choice.kind === 'refused') throw new HandoverRefused(choice.why);
  const wish = { holder, heir: choice.heir.process };
  await run(client, wishStatement(wish));
  const endsAt = stopwatchMs() + waitMs;
  while (stopwatchMs() < endsAt) {
    const { holder: now, renewal } = await oneRow(client, leaseQuery);
    // The first renewal shows that the heir is at work.
    if (now === wish.heir && (renewal as number) > 0) return wish.heir;
    await refuseIfAnswered(client, holder);
    await new Promise<void>((resolve) => scheduler.after(lookEveryMs, resolve));
  }
  await run(client, removeWishStatement(wish));
  throw new HandoverRefused(
    `${holder} did not give the lease to ${wish.heir} within ${waitMs / 1000} s: look at the ` +
      'journals of both, and at evermark cluster.',
  );
}

async function refuseIfAnswered(client: pg.Client, holder: string): Promise<void> {
  const { wish } = readMembers((await run(client, membersStatement)).rows);
  if (wish?.holder === holder && wish.answer !== undefined) throw new HandoverRefused(wish.answer);
}

const run = (client: pg.Client, { text, values }: Statement): Promise<pg.QueryResult> =>
  client.query(text, [...values]);

async function oneRow(client: pg.Client, query: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query(query);
  return rows[0];
}
