// What must hold of the timers: they lie in a heap, and whatever the state waits for is among them.

import type { Time } from '../units/units.ts';
import type { Exchange, Timer } from './exchange.ts';
import { type Findings, must } from './findings.ts';

export function checkTimers(findings: Findings, exchange: Exchange): void {
  const { items, before } = exchange.timers;
  const found = new Map<number, Timer>();
  const nonces = new Set<string>();
  items.forEach((timer, index) => {
    const parent = items[(index - 1) >> 1];
    const later = parent === undefined || !before(timer, parent);
    must(findings, later, () => `timer ${timer.id} stands before one that is earlier`);
    found.set(timer.id, timer);
    if (timer.kind === 'nonce') nonces.add(timer.nonce);
  });
  const waits = (whose: string, id: number, kind: Timer['kind'], time?: Time): void => {
    if (id === 0) return;
    const timer = found.get(id);
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
    for (const position of account.positions) {
      if (position !== undefined) waits('a countdown (ORD-13)', position.countdown, 'countdown');
    }
  }
  for (const { id, goodTillDate } of exchange.triggers.values()) {
    if (goodTillDate !== 0) waits('a trigger (TRG-5)', id, 'goodTill', goodTillDate);
  }
  for (const nonce of exchange.nonces.keys()) {
    must(findings, nonces.has(nonce), () => `the nonce ${nonce} never expires (AUTH-5)`);
  }
}
