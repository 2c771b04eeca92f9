// The liquidation step of an index tick: which accounts it liquidates, in which order, and how
// (LIQ-1 … LIQ-5). The fund's own turn is in naiveFund.ts.

import { byRising, ceilDiv, floorDiv, least, most, rateOne, signOf } from './exact.ts';
import { bookLimit, lotsToClose, outsideTerms, takeoverLots, toSpend } from './naiveBankruptcy.ts';
import { fundEarns, fundPays, intoShortfall, takePayment } from './naiveDebit.ts';
import {
  type Closing,
  createDeleveraging,
  type Deleveraging,
  deleverage,
} from './naiveDeleverage.ts';
import {
  equityFor,
  equityOf,
  fundId,
  fundOf,
  isLive,
  maintenanceFor,
  maintenanceOf,
  marketOf,
} from './naiveFigures.ts';
import { endOrders, settleClose } from './naiveFill.ts';
import { tendFund, unwindFund } from './naiveFund.ts';
import { closeOnBook } from './naiveOwnOrder.ts';
import { count, type NaiveAccount, type NaivePosition, type NaiveState } from './naiveState.ts';

/** What is tested as one: a whole account (market undefined) or an isolated position. */
type Candidate = { readonly account: NaiveAccount; readonly market: number | undefined };

const placeOf = ({ market }: Candidate): number => market ?? 0;

const equity = (state: NaiveState, candidate: Candidate, atIndex = false): bigint =>
  equityFor(state, candidate.account, placeOf(candidate), atIndex);

const maintenance = (state: NaiveState, candidate: Candidate, atIndex = false): bigint =>
  maintenanceFor(state, candidate.account, placeOf(candidate), atIndex);

function positionsOf({ account, market }: Candidate): NaivePosition[] {
  const positions = market === undefined ? account.positions : [account.positions[market]!];
  return positions.filter(({ lots }) => lots !== 0n);
}

/** The record with the flag and the time of the last step. */
const recordOf = ({ account, market }: Candidate): { flagged: boolean; steppedAt: number } =>
  market === undefined ? account : account.positions[market]!;

/** All candidates with a position in one of the markets that the test picks, by rising equity. */
function collect(
  state: NaiveState,
  markets: readonly number[],
  picks: (candidate: Candidate) => boolean,
): Candidate[] {
  const found: Candidate[] = [];
  for (const account of state.accounts) {
    if (account.id === fundId) continue;
    const held = markets.filter((market) => account.positions[market]!.lots !== 0n);
    if (held.length === 0) continue;
    const places = account.isolated ? held : [undefined];
    for (const market of places) found.push({ account, market });
  }
  const picked = found
    .filter(picks)
    .map((candidate) => ({ candidate, at: equity(state, candidate) }));
  picked.sort((a, b) => {
    const difference = byRising(a.at, b.at);
    if (difference !== 0) return difference;
    const accounts = a.candidate.account.id - b.candidate.account.id;
    return accounts !== 0 ? accounts : placeOf(a.candidate) - placeOf(b.candidate);
  });
  return picked.map(({ candidate }) => candidate);
}

/** The whole step, for the live markets that ticked, in symbol order. */
export function liquidationStep(state: NaiveState, ticked: readonly number[]): void {
  if (ticked.length > 0) {
    const slot = Math.floor(state.time / 600_000);
    state.peaks = [...state.peaks, { slot, equity: equityOf(state, fundOf(state)) }];
  }
  const memory = createDeleveraging();
  const failing = collect(state, ticked, (candidate) => {
    return recordOf(candidate).flagged || equity(state, candidate) < maintenance(state, candidate);
  });
  for (const candidate of failing) work(state, memory, candidate);
  tendFund(state, memory);
  unwindFund(state, ticked);
  workBroke(state, memory);
}

/** LIQ-5: an account without equity leaves every live market, until there is no such account. */
function workBroke(state: NaiveState, memory: Deleveraging): void {
  for (let round = 0; ; round += 1) {
    const live = state.markets.filter((market) => isLive(state, market)).map(({ id }) => id);
    const broke = collect(state, live, (candidate) => equity(state, candidate) <= 0n);
    if (broke.length === 0) return;
    if (round > 100) throw new Error('liquidation work does not end');
    count(state, 'brokeLater');
    for (const candidate of broke) work(state, memory, candidate);
    tendFund(state, memory);
  }
}

/** LIQ-1: the flag ends with the last position, also when the account closed it itself. */
export function dropEmptyFlags(state: NaiveState): void {
  for (const account of state.accounts) {
    if (account.positions.every(({ lots }) => lots === 0n)) account.flagged = false;
    for (const position of account.positions) if (position.lots === 0n) position.flagged = false;
  }
}

/** Liquidates one candidate until it holds, waits, or has nothing left that may be closed. */
function work(state: NaiveState, memory: Deleveraging, candidate: Candidate): void {
  const record = recordOf(candidate);
  const leftOver = new Set<number>();
  for (;;) {
    const left = equity(state, candidate);
    const needed = maintenance(state, candidate);
    if (positionsOf(candidate).length === 0 || 10n * left >= 12n * needed) {
      record.flagged = false;
      return;
    }
    if (left >= needed) return;
    const failsAtIndex = equity(state, candidate, true) < maintenance(state, candidate, true);
    if (left > 0n && !failsAtIndex) {
      count(state, 'sparedByIndex');
      return;
    }
    if (!record.flagged) count(state, 'flagged');
    record.flagged = true;
    endOrders(state, candidate.account.id, candidate.market, 'LIQUIDATION');
    const deep = 3n * left < 2n * needed;
    if (!deep && record.steppedAt !== 0 && state.time - record.steppedAt < 30_000) {
      count(state, 'waited');
      return;
    }
    const market = largest(state, candidate, leftOver);
    if (market === undefined) return;
    count(state, deep ? 'deepSteps' : 'steps');
    if (step(state, memory, candidate, market, deep)) record.steppedAt = state.time;
    else leftOver.add(market);
  }
}

/** The live position with the largest maintenance, the first of equal ones. */
function largest(
  state: NaiveState,
  candidate: Candidate,
  leftOver: ReadonlySet<number>,
): number | undefined {
  let best: NaivePosition | undefined;
  for (const position of positionsOf(candidate)) {
    if (leftOver.has(position.market)) continue;
    if (!isLive(state, marketOf(state, position.market))) continue;
    const more = best === undefined || maintenanceOf(state, position) > maintenanceOf(state, best);
    if (more) best = position;
  }
  return best?.market;
}

/** Book, fund, deleveraging, fee; whether all that was to be closed is closed. */
function step(
  state: NaiveState,
  memory: Deleveraging,
  candidate: Candidate,
  market: number,
  deep: boolean,
): boolean {
  const { account } = candidate;
  const { grain } = marketOf(state, market);
  const before = account.available;
  const direction = signOf(account.positions[market]!.lots);
  const lots = lotsToClose(state, account, market, deep);
  const limit = bookLimit(state, account, market);
  const closings: Closing[] = closeOnBook(state, account.id, market, lots, limit);
  if (closings.length > 0) count(state, 'liquidatedOnBook');
  let kept = keepFreed(account, market, before);
  /** What pays no fee. */
  const free: Closing[] = [];
  const rest = (): bigint =>
    [...closings, ...free].reduce((left, closing) => left - closing.lots, lots);
  const isDeep = (): boolean =>
    rest() > 0n && 3n * equity(state, candidate) < 2n * maintenance(state, candidate);
  if (isDeep()) {
    const terms = outsideTerms(state, account, market, rest());
    const asked = { direction, rest: terms.lots, price: terms.price };
    const taken = takeoverLots(state, market, asked);
    const charged = terms.part ? free : closings;
    if (taken > 0n) charged.push(takeOver(state, account.id, market, taken, terms.price));
    if (terms.part && taken === terms.lots) count(state, 'restoredByFund');
    kept += keepFreed(account, market, before);
  }
  if (isDeep()) {
    const terms = outsideTerms(state, account, market, rest());
    const bankrupt = { account: account.id, market };
    free.push(...deleverage(state, memory, bankrupt, terms.lots, terms.price));
    if (terms.part) count(state, 'restoredByDeleveraging');
    kept += keepFreed(account, market, before);
  }
  let notional = 0n;
  for (const closing of closings) notional += closing.lots * closing.ticks * grain;
  // Of an isolated position: what its last close released, and what still stands on it.
  const standing = equityFor(state, account, market);
  const own = account.isolated ? account.available - before + standing : standing;
  // LIQ-3c: what is left keeps 1.2 × its maintenance, or half of what stands above it.
  const available = account.isolated ? before : account.available;
  const spent = toSpend(state, account, market, own, available);
  const needed = maintenance(state, candidate);
  const left = most(spent - ceilDiv(12n * needed, 10n), floorDiv(spent - needed, 2n));
  takeFee(state, account, market, { notional, left, kept });
  return rest() === 0n;
}

/** Collateral that a step released from an isolated position stays with the rest of it. */
function keepFreed(account: NaiveAccount, market: number, before: bigint): bigint {
  const position = account.positions[market]!;
  const freed = account.available - before;
  if (!account.isolated || position.lots === 0n || freed <= 0n) return 0n;
  account.available -= freed;
  position.collateral += freed;
  return freed;
}

/** LIQ-3: the fund closes lots of the account at a price. */
function takeOver(
  state: NaiveState,
  account: number,
  market: number,
  lots: bigint,
  ticks: bigint,
): Closing {
  count(state, 'takenOver');
  const side = -signOf(state.accounts[account]!.positions[market]!.lots);
  const { unpaid } = settleClose(state, { account, market, side, lots, ticks });
  intoShortfall(state, fundPays(state, unpaid));
  const fund = settleClose(state, { account: fundId, market, side: -side, lots, ticks });
  intoShortfall(state, fund.unpaid);
  return { lots, ticks };
}

/**
 * The liquidation fee: at most what is left for it, to the fund; the unpaid amount is waived. What
 * the step released of an isolated position pays first.
 */
function takeFee(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
  { notional, left, kept }: { notional: bigint; left: bigint; kept: bigint },
): void {
  const { liquidationFee } = marketOf(state, market).terms;
  const amount = least(ceilDiv(notional * liquidationFee, rateOne), most(0n, left));
  if (amount === 0n) return;
  const position = account.positions[market]!;
  const back = least(amount, least(kept, position.collateral));
  position.collateral -= back;
  account.available += back;
  const unpaid = takePayment(state, { account, market, amount });
  fundEarns(state, amount - unpaid);
}
