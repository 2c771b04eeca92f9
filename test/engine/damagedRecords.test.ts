// Goal: the full check finds each single lie in what few commands write: pairs of take-profit and
// stop-loss (ATT-2), referral (NAT-4) and sessions (AUTH-11). Method: one damage at a time done to
// the copy of a state that a seeded stream has reached and that has all of them.

import { expect, test } from 'vitest';
import type { Account } from '../../src/engine/account.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { Attachments, Pair } from '../../src/engine/pair.ts';
import { hasReferralCode, isBound, type Referral } from '../../src/engine/referral.ts';
import type { Session } from '../../src/engine/session.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import type { Trigger } from '../../src/engine/trigger.ts';
import { directGet } from '../../src/std/directMap.ts';
import type { AccountId, OrderId } from '../../src/units/units.ts';
import { runStream } from './commandStream.ts';

/** Records of a state to do damage to. */
type Rich = {
  readonly exchange: Exchange;
  /** With lots: its legs wait; and without: they are PENDING. */
  readonly filled: Pair;
  readonly asleep: Pair;
  readonly waiting: Trigger;
  readonly pending: Trigger;
  /** Where `filled` is listed. */
  readonly attachments: Attachments;
  /** Of a position, and a leg of it. */
  readonly protection: Pair;
  readonly protecting: Trigger;
  /** A referrer that has accrued something, and one of its referees. */
  readonly referrer: Account;
  readonly earning: Referral;
  readonly referee: Account;
  readonly session: Session;
  readonly sessions: Session[];
};

function richOf(exchange: Exchange): Rich | undefined {
  const { pairs, triggers, accounts } = exchange;
  const legOf = ({ legs }: Pair): Trigger | undefined =>
    triggers.get(legs.takeProfit) ?? triggers.get(legs.stopLoss);
  const ofParents = [...pairs.values()].filter(({ name }) => name.kind !== 'position');
  const filled = ofParents.find((pair) => pair.lots > 0 && legOf(pair)?.status === 'NEW');
  const asleep = ofParents.find((pair) => legOf(pair)?.status === 'PENDING');
  const protection = [...pairs.values()].find((pair) => {
    return pair.name.kind === 'position' && legOf(pair)?.status === 'NEW';
  });
  const live = liveAccounts(exchange);
  const referee = live.find((account) => {
    return isBound(account) && accounts[account.referral!.referrer]!.referral!.accrued > 0;
  });
  const sessions = live.find((account) => account.sessions.length > 1)?.sessions;
  if (!(filled && asleep && protection && referee && sessions)) return undefined;
  const referrer = accounts[referee.referral!.referrer]!;
  return {
    ...{ exchange, filled, asleep, protection, referrer, referee, sessions },
    waiting: legOf(filled)!,
    pending: legOf(asleep)!,
    protecting: legOf(protection)!,
    attachments: accounts[filled.account]!.positions[filled.market]!.attachments!,
    earning: referrer.referral!,
    session: sessions[1]!,
  };
}

const sections: Buffer[] = [];
for (let seed = 1; sections.length === 0; seed += 1) {
  const exchange = runStream(seed, 1200);
  if (richOf(exchange)) encodeSnapshot(exchange, (section) => sections.push(section));
}

/** Fields as they may not be written from the typed side. */
const loose = (record: object): Record<string, unknown> => record as Record<string, unknown>;

const damages: Record<string, (rich: Rich) => void> = {
  'a pair has more lots than its position': ({ exchange, filled, waiting }) => {
    const { lots } = exchange.accounts[filled.account]!.positions[filled.market]!;
    const more = Math.abs(lots) + 1;
    loose(filled).lots = more;
    loose(waiting).lots = more;
  },
  'a pair has negative lots': ({ asleep }) => (loose(asleep).lots = -1),
  'a pair has lots of an earlier position': ({ attachments }) => (loose(attachments).life = 7),
  'a pair of a position counts lots': ({ protection }) => (loose(protection).lots = 1),
  'a pair is of the other side': ({ filled }) => (loose(filled).side = -filled.side),
  'a pair is of another account': ({ filled }) => (loose(filled).account = filled.account + 1),
  'a pair is not followed': ({ filled }) => (loose(filled).stirred = true),
  'a pair is in no list': ({ exchange, filled }) => exchange.pairs.delete(filled.name.id),
  'a pair stands under another number': ({ exchange, filled }) => {
    exchange.pairs.delete(filled.name.id);
    exchange.pairs.set((exchange.sequence + 1) as OrderId, filled);
  },
  'a position does not list its pair': ({ attachments }) => attachments.pairs.splice(0),
  'a position lists a pair twice': ({ attachments, filled }) => attachments.pairs.push(filled),
  'the pairs of a position were not cut': ({ attachments }) => (loose(attachments).low = 5),
  'a position is among those that became smaller': ({ exchange, attachments }) =>
    exchange.shrunk.push(attachments),
  'an incoming order has legs': ({ exchange, filled }) => (loose(exchange).drafted = filled),
  'a waiting leg has other lots': ({ waiting }) => (loose(waiting).lots = waiting.lots + 1),
  'a leg is PENDING and has lots': ({ pending }) => (loose(pending).lots = 1),
  'a leg is PENDING beside a pair with lots': ({ asleep }) => (loose(asleep).lots = 1),
  'a leg names another pair': ({ waiting, asleep }) => (loose(waiting).pair = asleep.name),
  'a leg names a pair of another kind': ({ waiting, filled }) =>
    (loose(waiting).pair = { ...filled.name, kind: 'position' }),
  'a leg opens': ({ waiting }) => (loose(waiting).reduceOnly = false),
  'a leg of a position has lots of its own': ({ protecting }) =>
    (loose(protecting).closePosition = false),
  'a pair names other legs': ({ filled }) => (loose(filled).legs = { takeProfit: 0, stopLoss: 0 }),
  'a parent names other legs': ({ exchange, asleep }) => {
    const { id } = asleep.name;
    const parent = directGet(exchange.orders, id) ?? exchange.triggers.get(id);
    loose(parent!).legs = { takeProfit: 1, stopLoss: 2 };
  },
  'more has accrued than the fund holds': ({ earning }) => (loose(earning).accrued = 1e12),
  'less has accrued than nothing': ({ earning }) => (loose(earning).accrued = -1),
  'less was claimed than nothing': ({ earning }) => (loose(earning).claimed = -1),
  'more has accrued on a day than in all': ({ earning }) => (loose(earning).today = 1e12),
  'a day of referral has not come yet': ({ earning }) => (loose(earning).day = 1e6),
  'a referrer counts its referees wrongly': ({ earning }) =>
    (loose(earning).referees = earning.referees + 1),
  'a referrer has no code': ({ earning }) => (loose(earning).code = ''),
  'a code is in lower case': ({ exchange, earning, referrer }) => {
    exchange.referralCodes.delete(earning.code);
    earning.code = 'lower';
    exchange.referralCodes.set('lower', referrer.id);
  },
  'a code leads to another account': ({ exchange, earning, referee }) =>
    exchange.referralCodes.set(earning.code, referee.id),
  'a code has no account': ({ exchange }) => exchange.referralCodes.set('NOBODY', 1 as AccountId),
  'a referee has a referrer without a code': ({ exchange, referee }) => {
    const plain = liveAccounts(exchange).find((one) => one.id > 0 && !hasReferralCode(one))!;
    loose(referee.referral!).referrer = plain.id;
  },
  'two accounts are the referrers of each other': ({ referee, referrer, earning }) => {
    loose(referee.referral!).code = 'CIRCLE';
    earning.referrer = referee.id;
    loose(referee.referral!).referrer = referrer.id;
  },
  'referral gives more than the half': ({ exchange }) => {
    exchange.referralTerms = { ...exchange.referralTerms, share: 50_000_001 as never };
  },
  'a session lasts longer': ({ session }) => (loose(session).expiresAt = session.expiresAt + 1),
  'a session begins later': ({ exchange, session }) => {
    loose(session).createdAt = exchange.time + 1;
  },
  'sessions are in another order': ({ sessions }) => sessions.reverse(),
  'an account has too many sessions': ({ exchange, sessions, session }) => {
    for (let more = 1; more <= 20; more += 1) {
      sessions.push({ ...session, id: (exchange.sequence - 20 + more) as OrderId });
    }
  },
  'the fund has a session': ({ exchange, session }) => exchange.accounts[0]!.sessions.push(session),
};

test('the undamaged copy passes', () => {
  expect(checkInvariants(richOf(decodeSnapshot(sections))!.exchange).failures).toEqual([]);
});

test.each(Object.entries(damages))('ATT-2 NAT-4 AUTH-11 finds that %s', (_, damage) => {
  const rich = richOf(decodeSnapshot(sections))!;
  damage(rich);
  const { ok, failures } = checkInvariants(rich.exchange);
  expect(ok).toBe(false);
  expect(failures.length).toBeGreaterThan(0);
});
