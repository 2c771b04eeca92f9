// Ends sessions of an account on its request (AUTH-11): one, or all but the one that asks.

import type { EndSessions } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function endSessions(exchange: Exchange, command: EndSessions): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const { sessions } = account;
  const { session, kept } = command;
  const ending = sessions.filter(({ id, createdAt }) =>
    session === undefined ? id !== kept : id === session.id && createdAt === session.createdAt,
  );
  if (session !== undefined && ending.length === 0) return rejected({ reason: 'sessionUnknown' });
  // From here endSessions must succeed.
  exchange.committed = true;
  const left = sessions.filter((each) => !ending.includes(each));
  sessions.splice(0, sessions.length, ...left);
  for (const { id } of ending) {
    exchange.events.push({ kind: 'sessionEnded', account: account.id, id });
  }
  return { kind: 'accepted', cancelled: ending.length };
}
