// Watches the processes of a deployment until it is clear which of them live: half a second when
// all do, two seconds when one is gone.

import type pg from 'pg';
import { stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import { membersStatement, readMembers } from './memberStatement.ts';
import { isUnsure, type Sights, seeMembers } from './members.ts';

const lookEveryMs = 100;

export async function watchMembers(client: pg.Client, scheduler: Scheduler): Promise<Sights> {
  const sights: Sights = new Map();
  for (;;) {
    const { rows } = await client.query(membersStatement.text);
    seeMembers(sights, readMembers(rows).members, stopwatchMs());
    if (!isUnsure(sights, stopwatchMs())) return sights;
    await new Promise<void>((resolve) => scheduler.after(lookEveryMs, resolve));
  }
}
