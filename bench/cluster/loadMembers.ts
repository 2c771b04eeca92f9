// Orders to several processes at once, while a measurement does something to them.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../../kills/openMember.ts';

export type LoadMembers = {
  readonly members: readonly Member[];
  /** Sends one order; it rejects when the process refuses the order itself. */
  readonly once: (member: Member) => Promise<unknown>;
  readonly restMs: number;
};

export type MembersLoad = {
  /** No new order; resolves when those under way have ended. Rejects with the first refusal. */
  readonly end: () => Promise<void>;
};

export function loadMembers({ members, once, restMs }: LoadMembers): MembersLoad {
  let isOver = false;
  const loading = members.map(async (member) => {
    while (!isOver) {
      await once(member);
      await sleep(restMs);
    }
  });
  // A refusal before the end waits there, instead of ending the program.
  const whole = Promise.all(loading);
  whole.catch(() => {});
  return {
    end: async () => {
      isOver = true;
      await whole;
    },
  };
}
