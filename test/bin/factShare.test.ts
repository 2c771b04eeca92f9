// Listen keys of three processes over the exchange of facts, with the holder in the middle: made at
// one follower, closed at the other, and a process that comes later hears everything.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFactShare, type FactShare } from '../../src/bin/createFactShare.ts';
import { shareListenKeys } from '../../src/bin/shareListenKeys.ts';
import { makeListenKey, readListenKey } from '../../src/gateway/identity/makeListenKey.ts';
import { decodeMessage, encodeMessage, type Facts } from '../../src/link/linkMessage.ts';
import { createSharedListenKeys } from '../../src/streams/fapi/sharedListenKeys.ts';
import type { AccountId } from '../../src/units/units.ts';
import { createVirtualTime } from '../fixtures/virtualTime.ts';

const account = 7 as AccountId;
const secret = 'a secret of logins with enough letters';

/** A process with its facts and its listen keys. */
function openProcess({ clock, scheduler }: ReturnType<typeof createVirtualTime>) {
  const facts = createFactShare({ clock, scheduler });
  const { key, say, onNews } = shareListenKeys(secret, facts);
  const listenKeys = createSharedListenKeys({
    ...{ clock, say, knows: () => true, onEnd: () => {} },
    make: (of, now) => makeListenKey({ key, account: of, now }, randomBytes),
    read: (text) => readListenKey(text, key),
  });
  onNews(listenKeys.hear);
  return { facts, listenKeys };
}

/** Messages go as bytes, as over a real link. */
function join(one: FactShare, other: FactShare, link: number): void {
  const through = (to: FactShare) => (message: Facts) =>
    to.onFacts(link, decodeMessage(encodeMessage(message)) as Facts);
  one.onLink(link, through(other));
  other.onLink(link, through(one));
}

test('listen keys are the same at all processes within two exchanges', () => {
  const time = createVirtualTime();
  const [holder, a, b] = [openProcess(time), openProcess(time), openProcess(time)];
  join(holder.facts, a.facts, 1);
  join(holder.facts, b.facts, 2);
  const made = a.listenKeys.open(account)!;
  time.advance(100);
  expect(b.listenKeys.open(account)).toBe(made);
  expect(holder.listenKeys.keepAlive(account)).toBe(made);
  time.advance(30 * 60_000);
  expect(b.listenKeys.keepAlive(account)).toBe(made);
  time.advance(45 * 60_000);
  for (const each of [holder, a, b]) expect(each.listenKeys.find(made)).toBeDefined();

  const late = openProcess(time);
  expect(late.listenKeys.find(made)).toBeUndefined();
  join(holder.facts, late.facts, 3);
  time.advance(100);
  expect(late.listenKeys.find(made)).toBeDefined();

  // The link is cut while the key is closed, and another process is the holder afterwards.
  for (const { facts } of [holder, b]) facts.onLinkGone(2);
  b.listenKeys.close(account);
  time.advance(100);
  expect(a.listenKeys.find(made)).toBeDefined();
  join(b.facts, a.facts, 4);
  join(b.facts, late.facts, 5);
  time.advance(100);
  for (const each of [a, b, late]) expect(each.listenKeys.find(made)).toBeUndefined();
  for (const { facts } of [holder, a, b, late]) facts.close();
  expect(time.waiting()).toBe(0);
});
