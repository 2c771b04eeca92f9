// The invariants of the timers: they are in a heap and know their places, and they are exactly the
// timers for which the state waits.

import type { Time } from '../../units/units.ts';
import type { Exchange, Timer } from '../exchange.ts';
import { checkHeap } from './checkHeap.ts';
import { type Findings, must } from './findings.ts';

export function checkTimers(findings: Findings, exchange: Exchange): void {
  const { timers } = exchange;
  checkHeap(findings, timers, ({ id }) => `timer ${id}`);
  const counts: Record<string, number> = {};
  for (const timer of timers.items) {
    const { id, kind, slot } = timer;
    counts[kind] = (counts[kind] ?? 0) + 1;
    must(findings, timers.byId.get(id) === timer && timers.items[slot] === timer, () => {
      return `timer ${id} is not found by its number and its place`;
    });
  }
  const counted = Object.entries(timers.counts).every(([kind, count]) => {
    return count === (counts[kind] ?? 0);
  });
  must(findings, counted && timers.byId.size === timers.items.length, () => {
    return `timers are counted as ${JSON.stringify(timers.counts)}, not ${JSON.stringify(counts)}`;
  });
  checkAwaited(findings, exchange);
}

function checkAwaited(findings: Findings, exchange: Exchange): void {
  const { byId, items } = exchange.timers;
  const nonces = new Set<string>();
  for (const { kind, nonce } of items) if (kind === 'nonce') nonces.add(nonce);
  let awaited = exchange.nonces.size;
  const waits = (whose: string, id: number, kind: Timer['kind'], time?: Time): void => {
    if (id === 0) return;
    awaited += 1;
    const timer = byId.get(id);
    const right = timer?.kind === kind && (time === undefined || timer.time === time);
    must(findings, right, () => `${whose}: no timer ${id}, ${kind}`);
  };
  for (const { symbol, raise, dues } of exchange.markets) {
    waits(symbol, raise.timer, 'maintenance', raise.at);
    waits(symbol, dues.fundingTimer, 'funding');
    waits(symbol, dues.deliveryTimer, 'delivery');
    must(findings, dues.settledAt !== 0 || dues.fundingTimer !== 0, () => {
      return `${symbol} waits for no funding boundary (FUND-3)`;
    });
  }
  for (const account of exchange.accounts) {
    for (const position of account?.positions ?? []) {
      if (position !== undefined) waits('a countdown (ORD-13)', position.countdown, 'countdown');
    }
  }
  for (const { id, goodTillDate } of exchange.triggers.values()) {
    if (goodTillDate !== 0) waits('a trigger (TRG-5)', id, 'goodTill', goodTillDate);
  }
  for (const nonce of exchange.nonces.keys()) {
    must(findings, nonces.has(nonce), () => `the nonce ${nonce} never expires (AUTH-5)`);
  }
  must(findings, awaited === items.length, () => {
    return `${items.length} timers wait, ${awaited} are waited for`;
  });
}
