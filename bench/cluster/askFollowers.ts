// Whether the processes that follow serve clients: they are asked, and the measurement is left out
// while they do not.

import type { Member } from '../../kills/openMember.ts';
import { say } from '../report.ts';

/** One of them that serves; undefined, and a line that says so, when none does. */
export async function askFollowers(
  followers: readonly Member[],
  what: string,
): Promise<Member | undefined> {
  for (const follower of followers) if (await follower.serves()) return follower;
  say(`${what}: not measurable: followers do not serve yet`);
  return undefined;
}
