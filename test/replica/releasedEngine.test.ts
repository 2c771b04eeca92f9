// Goal: a log that a released engine began goes on under this one, and no money changes at the
// seam. Method: the engine itself, kept beside the log as its release kept it, runs hours in which
// everything happens and much waits at their end, and seeded hours. This engine continues; then
// every consumer of a log reads it from its beginning.

import { expect, test } from 'vitest';
import { makeDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import type { Event } from '../../src/engine/event.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { figuresOf, type ReplicaState } from '../../src/replica/replicaState.ts';
import { listSnapshots } from '../../src/replica/snapshotFile.ts';
import { type FileReplica, openFileReplica, testChain } from '../fixtures/fileReplica.ts';
import {
  keepReleasedEngine,
  openReleasedReplica,
  type ReleasedFormat,
} from '../fixtures/releasedEngine.ts';
import {
  hoursBeforeSeam,
  hoursBehindSeam,
  payerLots,
  seamAccount,
  seamAccounts,
  seamMarkets,
} from '../fixtures/seamHours.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { viewContents } from '../fixtures/viewContents.ts';

/** What logs of each release name. */
const releases: readonly (readonly [format: ReleasedFormat, hash: string])[] = [
  [5, '8480fa50c29f29a65a069e03b75c516138f8e32659ffc808f9ea2db95878dd9f'],
  [6, 'ea3697c6964e595dc795f6c8c03b65b72af62e1d89ce6212e9dfddcb82355641'],
];

/** Every amount and every position; blank positions are no state. */
const moneyOf = ({ accounts, funds, withdrawals, credits }: Exchange): unknown => ({
  accounts: accounts.map((account) => {
    if (account === undefined) return undefined;
    const { available, freezes, collateral, uncovered } = account;
    const positions = account.positions
      .filter((position) => position !== undefined && position.lots !== 0)
      .map((position) => [position!.market, position!.lots, position!.entry, position!.collateral]);
    return { available, freezes, collateral, uncovered, positions };
  }),
  funds: { ...funds, epoch: 0 },
  withdrawals: [...withdrawals.values()].map(({ account, amount }) => [account, amount]),
  credits: credits.size,
});

const fingerprint = (state: ReplicaState): unknown => ({
  figures: figuresOf(state),
  state: state.engine.stateHash(state.exchange),
  prices: state.engine.priceHash(state.exchange),
  broken: state.engine.checkInvariants(state.exchange).failures,
  views: viewContents(state.views),
  ran: state.ran,
});

type Seam = { readonly path: string; readonly boundary: number; readonly releasedHash: string };

/** Restarts, replays and verifies a log that has passed the seam behind `boundary`. */
async function expectExplained(
  { path, boundary, releasedHash }: Seam,
  left: FileReplica,
): Promise<void> {
  const directory = makeDataDirectory(path, testChain);
  const { engines } = left.state;
  const { hash } = engines.present;
  const after = fingerprint(left.state);
  expect(left.fatal).toEqual([]);
  expect(after).toMatchObject({
    broken: [],
    ran: [
      { hash: releasedHash, from: 1 },
      { hash, from: boundary + 1 },
    ],
  });
  await left.close();
  const again = await openFileReplica(path, { engines });
  expect(again.recovered.snapshot).toBe(boundary + 1);
  expect(fingerprint(again.state)).toEqual(after);
  await again.close();
  const verified = verifyDirectory(directory);
  expect(verified).toMatchObject({
    ok: true,
    state_hash: (after as { state: string }).state,
    position: left.state.position,
  });
  expect(verified.snapshots.map(({ position }) => position)).toEqual(
    listSnapshots(directory.snapshots),
  );
}

test.each(releases)(
  'FUND-1c SYM-2 ORD-13 TRG-5 OPS-2 what waits at the seam of format %i ends behind it as it would have',
  async (format, releasedHash) => {
    using temporary = createTemporaryDirectory();
    const { path } = temporary;
    const directory = makeDataDirectory(path, testChain);
    const released = await keepReleasedEngine(directory.engines, format);
    expect(released.hash).toBe(releasedHash);
    const before = await openReleasedReplica(path, released);
    await hoursBeforeSeam(before);
    const { exchange } = before.state;
    const payer = exchange.accounts[seamAccount(before, seamAccounts.payer)]!;
    const [, , avax, sol, ltc] = exchange.markets;
    expect(before.state.engine.snapshotFormat).toBe(format);
    expect(avax!.figures.fundingSum).toBeGreaterThan(0);
    expect(avax!.shares.size).toBe(2);
    expect(avax!.raise.timer).not.toBe(0);
    expect(sol!.dues.settledAt).not.toBe(0);
    expect(ltc!.dues).toMatchObject({ funding: 1_760_004_000_000, delivery: false });
    expect(ltc!.dues.deliveryTimer).not.toBe(0);
    expect(payer.positions[seamMarkets.avax]).toMatchObject({ lots: payerLots });
    expect(payer.positions[seamMarkets.avax]!.countdown).not.toBe(0);
    expect(payer.triggers).toHaveLength(4);
    expect(exchange.withdrawals.size).toBe(2);
    expect(exchange.guests.waiting.items.length).toBeGreaterThan(0);
    const money = moneyOf(exchange);
    const boundary = before.state.position;
    await before.close();

    const behind = await openFileReplica(path, { engines: released.engines });
    expect(behind.state.position).toBe(boundary + 1);
    expect(moneyOf(behind.state.exchange)).toEqual(money);
    const events: Event[] = [];
    behind.replica.listen({ onEvents: (some) => events.push(...some), onApplied: () => {} });
    behind.clock.advance(before.clock.now() - behind.clock.now());
    await hoursBehindSeam(behind);

    const of = <Kind extends Event['kind']>(
      kind: Kind,
    ): Extract<Event, { readonly kind: Kind }>[] =>
      events.filter(
        (event): event is Extract<Event, { readonly kind: Kind }> => event.kind === kind,
      );
    const settled = of('fundingSettled');
    // The interval under way, and the boundary that had no price, each at most at the cap.
    for (const [market, time] of [
      [seamMarkets.avax, 1_760_007_600_000],
      [seamMarkets.ltc, 1_760_004_000_000],
    ] as const) {
      const [first] = settled.filter((event) => event.market === market);
      expect(first).toMatchObject({ boundary: time });
      const { terms, grain } = behind.state.exchange.markets[market]!;
      const paid = of('fundingPaid').filter(
        (each) => each.market === market && each.boundary === time,
      );
      expect(paid.some(({ amount }) => amount < 0)).toBe(true);
      for (const { account, amount } of paid) {
        // No account held more lots in these hours than this.
        const lots = market === seamMarkets.avax ? payerLots : 40_000;
        const most = Math.ceil((lots * first!.mark * grain * terms.maxFundingRate) / 1e8);
        expect(Math.abs(amount), `of account ${account}`).toBeLessThanOrEqual(most);
      }
    }
    expect(of('marketSettled').map(({ market }) => market)).toEqual([seamMarkets.ltc]);
    expect(behind.state.exchange.markets[seamMarkets.avax]!.terms.maintenanceMarginRate).toBe(
      1_200_000,
    );
    const after = behind.state.exchange.accounts[payer.id]!;
    expect(after.triggers.map(({ clientOrderId }) => clientOrderId)).toEqual(['closes']);
    expect(after.positions[seamMarkets.avax]).toMatchObject({ lots: 4800, countdown: 0 });
    expect([...after.clientOrderIds.keys()]).toEqual(['closes']);
    expect(behind.state.exchange.withdrawals.size).toBe(0);
    await expectExplained({ path, boundary, releasedHash }, behind);
  },
);

test.each(releases)(
  'seeded hours of format %i go on under this engine',
  async (format, releasedHash) => {
    const seed = format;
    using temporary = createTemporaryDirectory();
    const { path } = temporary;
    const directory = makeDataDirectory(path, testChain);
    const released = await keepReleasedEngine(directory.engines, format);
    const before = await openReleasedReplica(path, released);
    await before.trade(seed, 800);
    before.takeSnapshot();
    await before.trade(seed + 10, 200);
    // It knows nearly all that is drawn.
    expect(before.sent.size).toBeGreaterThan(20);
    expect([...before.sent.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(900);
    const money = moneyOf(before.state.exchange);
    const boundary = before.state.position;
    await before.close();

    const behind = await openFileReplica(path, { engines: released.engines });
    expect(moneyOf(behind.state.exchange)).toEqual(money);
    behind.clock.advance(Math.max(0, before.clock.now() - behind.clock.now()));
    await behind.trade(seed + 20, 400);
    await expectExplained({ path, boundary, releasedHash }, behind);
  },
);
