// The invariants of an account's sessions (AUTH-11): their order, their times and their number.

import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { sessionMs, sessionsPerAccountMax, sessionsPerGuestMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Findings, must } from './findings.ts';

export function checkSessions(
  findings: Findings,
  { sequence, time }: Exchange,
  { id: account, funded, sessions }: Account,
): void {
  const max = funded ? sessionsPerAccountMax : sessionsPerGuestMax;
  const bound = account === insuranceAccount ? 0 : max;
  must(findings, sessions.length <= bound, () => {
    return `account ${account} has ${sessions.length} sessions, at most ${bound} are allowed`;
  });
  let before = 0;
  let opened = 0;
  for (const { id, createdAt, expiresAt } of sessions) {
    const isLater = id > before && id <= sequence && createdAt >= opened && createdAt <= time;
    must(findings, isLater && expiresAt === createdAt + sessionMs, () => {
      return `account ${account}: session ${id} stands out of order, or lasts too long`;
    });
    before = id;
    opened = createdAt;
  }
}
