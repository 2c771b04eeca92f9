// Links that come to a process just before it has the lease.

import { expect, test } from 'vitest';
import { createLeadGate } from '../../src/bin/createLeadGate.ts';
import type { LinkListener } from '../../src/bin/leadFollowers.ts';
import type { Link } from '../../src/link/createLink.ts';
import { type Follow, linkVersion } from '../../src/link/linkMessage.ts';
import type { Scheduler } from '../../src/std/scheduler.ts';

const follow: Follow = { kind: 'follow', place: { position: 7, hash: 'ab'.repeat(32) } };

/** A gate whose time passes when the test says so, and one link that waits at it. */
function openGate() {
  const told: string[] = [];
  let passTime = (): void => {};
  const scheduler: Scheduler = {
    after: (_, task) => {
      passTime = task;
      return () => {
        passTime = () => {};
      };
    },
  };
  const gate = createLeadGate(scheduler);
  const listener = gate.listen();
  const link = {
    peer: { kind: 'hello', version: linkVersion, process: 'p', release: 'r', engineHash: 'e' },
    send: (message) => told.push(`sent ${message.kind}`),
    flush: () => {},
    close: (why) => {
      told.push(`closed: ${why}`);
      listener.onEnd(why);
    },
  } satisfies Link as Link;
  listener.onOpen(link);
  const leading =
    (onOpen: LinkListener['onOpen'] = () => {}) =>
    (): LinkListener => ({
      onOpen: (each) => {
        told.push('opened');
        onOpen(each);
      },
      onMessage: (_, { kind }) => told.push(`took ${kind}`),
      onEnd: (why) => told.push(`ended: ${why}`),
    });
  return { told, gate, listener, link, leading, passTime: () => passTime() };
}

test('a link that waits is served as soon as the process has the lease, with what it asked', () => {
  const { told, gate, listener, link, leading, passTime } = openGate();
  listener.onMessage(link, follow);
  expect(told).toEqual([]);
  gate.lead(leading());
  expect(told).toEqual(['opened', 'took follow']);
  listener.onMessage(link, { kind: 'ask', number: 1 });
  passTime();
  listener.onEnd('lost');
  expect(told.slice(2)).toEqual(['took ask', 'ended: lost']);
});

test('a link that has waited too long is refused, and is not served later', () => {
  const { told, gate, listener, link, leading, passTime } = openGate();
  listener.onMessage(link, follow);
  passTime();
  gate.lead(leading());
  expect(told).toEqual(['closed: this process does not hold the lease']);
});

test('a link that was lost while it waited is forgotten', () => {
  const { told, gate, listener, leading } = openGate();
  listener.onEnd('lost');
  gate.lead(leading());
  expect(told).toEqual([]);
});

test('a link that is refused when its turn comes is asked for nothing more', () => {
  const { told, gate, listener, link, leading } = openGate();
  listener.onMessage(link, follow);
  gate.lead(leading((each) => each.close('another engine')));
  expect(told).toEqual(['opened', 'closed: another engine', 'ended: another engine']);
});

test('a peer that sends anything else before it is answered breaks the link', () => {
  const { listener, link } = openGate();
  expect(() => listener.onMessage(link, { kind: 'requests', requests: [] })).toThrow(
    'a process sent a message "requests" before it was answered',
  );
  listener.onMessage(link, follow);
  expect(() => listener.onMessage(link, follow)).toThrow('"follow" before it was answered');
});
