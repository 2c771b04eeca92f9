// The entry of the oracle: the beginning of a batch, and the rule of each command. Slow and
// obvious; the engine must agree with it to the unit.

import type { Command } from '../../src/engine/command.ts';
import { ceilDiv, floorDiv, least, most, rateOne } from './exact.ts';
import { cancel, dealCover } from './naiveCover.ts';
import { fundEarns } from './naiveDebit.ts';
import { deliver, deliveryIsDue } from './naiveDelivery.ts';
import {
  equityOf,
  fundOf,
  isLive,
  maintenanceOf,
  marketOf,
  notionalOf,
  profitOf,
  standingLeverage,
} from './naiveFigures.ts';
import { settlementLoss } from './naiveFillCheck.ts';
import { passBoundaries, settleDue, settleSoFar } from './naiveFunding.ts';
import { dropEmptyFlags, liquidationStep } from './naiveLiquidation.ts';
import { type NaiveOutcome, placeNaive } from './naivePlace.ts';
import { takePrices } from './naivePrices.ts';
import { bind, claim, setCode, setTerms } from './naiveReferral.ts';
import {
  addAccount,
  blankPosition,
  count,
  grainOf,
  type NaiveMarket,
  type NaiveState,
  naiveTerms,
} from './naiveState.ts';
import {
  bindVault,
  creditDeposit,
  creditParked,
  reportWithdrawal,
  requestWithdrawal,
  setWithdrawalTerms,
} from './naiveVault.ts';

type Of<Kind> = Extract<Command, { kind: Kind }>;

export function beginNaive(state: NaiveState, time: number): void {
  const before = state.time;
  state.time = time;
  shareFees(state, before);
  creditParked(state, before);
  passBoundaries(state, before);
}

/** LIQ-8: with another minute the fund gets its share of the fees, up to its target. */
function shareFees(state: NaiveState, before: number): void {
  const minuteOf = (time: number): number => Math.floor(time / 60_000);
  if (minuteOf(before) === minuteOf(state.time)) return;
  for (const market of state.markets) {
    const { fundShare, fundTarget } = market.terms;
    const share = floorDiv(market.minuteFees * fundShare, rateOne);
    const given = most(0n, least(share, fundTarget - equityOf(state, fundOf(state))));
    market.minuteFees = 0n;
    if (given === 0n) continue;
    count(state, given < share ? 'feesSharedToTarget' : 'feesShared');
    state.feeRevenue -= given;
    fundEarns(state, given);
  }
}

/** Applies a command; a flag that nothing is left for falls with it (LIQ-1). */
export function applyNaive(state: NaiveState, command: Command): NaiveOutcome {
  const outcome = dispatch(state, command);
  dropEmptyFlags(state);
  return outcome;
}

function dispatch(state: NaiveState, command: Command): NaiveOutcome {
  switch (command.kind) {
    case 'placeOrder':
      return placeNaive(state, command);
    case 'cancelOrder':
      return cancelOne(state, command);
    case 'cancelAllOrders':
      return cancelAll(state, command);
    case 'indexTick':
      return tick(state, command);
    case 'setLeverage':
      return setLeverage(state, command);
    case 'listMarket':
      return list(state, command);
    case 'changeMarket':
      return change(state, command);
    case 'credit':
      return credit(state, command);
    case 'creditInsurance':
      return creditInsurance(state, command);
    case 'flagAccount':
      return flagAccount(state, command);
    case 'settleFunding':
      return settleNow(state, command);
    case 'setMarginMode':
      return setMarginMode(state, command);
    case 'transferCollateral':
      return transferCollateral(state, command);
    case 'setReferralCode':
      return setCode(state, command);
    case 'bindReferral':
      return bind(state, command);
    case 'claimReferral':
      return claim(state, command);
    case 'setReferralTerms':
      return setTerms(state, command);
    case 'bindVault':
      return bindVault(state, command);
    case 'creditDeposit':
      return creditDeposit(state, command);
    case 'requestWithdrawal':
      return requestWithdrawal(state, command);
    case 'reportWithdrawal':
      return reportWithdrawal(state, command);
    case 'setWithdrawalTerms':
      return setWithdrawalTerms(state, command);
    default:
      throw new Error(`the oracle knows no ${command.kind}`);
  }
}

const done: NaiveOutcome = {};

function cancelOne(state: NaiveState, command: Of<'cancelOrder'>): NaiveOutcome {
  const { account, order: reference } = command;
  if (!('clientOrderId' in reference)) throw new Error('the fuzz names its orders');
  const order = state.orders.find((other) => {
    return other.account === account && other.name === reference.clientOrderId;
  });
  if (order === undefined) return { reason: 'orderNotFound' };
  cancel(state, order, 'USER');
  return { order };
}

function cancelAll(state: NaiveState, { account, market }: Of<'cancelAllOrders'>): NaiveOutcome {
  for (const order of [...state.orders]) {
    if (order.account === account && order.market === market) cancel(state, order, 'USER');
  }
  return done;
}

/** Each step for all markets before the next (FUND-3). */
function tick(state: NaiveState, { prices }: Of<'indexTick'>): NaiveOutcome {
  const accepted = takePrices(state, prices);
  const live = (market: NaiveMarket): boolean => isLive(state, market);
  for (const market of accepted.filter(live)) settleDue(state, market);
  for (const market of accepted.filter(live)) {
    if (!deliveryIsDue(state, market)) continue;
    settleSoFar(state, market);
    deliver(state, market);
  }
  const ticked = accepted.filter(live).map(({ id }) => id);
  if (accepted.length > 0) liquidationStep(state, ticked);
  return done;
}

function setLeverage(state: NaiveState, command: Of<'setLeverage'>): NaiveOutcome {
  const market = marketOf(state, command.market);
  if (command.leverage < 1 || command.leverage > market.terms.maxLeverage) {
    return { reason: 'leverageInvalid' };
  }
  const position = state.accounts[command.account]!.positions[command.market]!;
  position.leverage = BigInt(command.leverage);
  return done;
}

function list(state: NaiveState, command: Of<'listMarket'>): NaiveOutcome {
  const id = state.markets.length;
  state.markets.push({
    id,
    symbol: command.symbol,
    grain: grainOf(command.tick, command.lot),
    listedAt: state.time,
    terms: naiveTerms(command.terms),
    status: command.status,
    index: 0n,
    mark: 0n,
    indexAt: 0,
    premium: 0n,
    premiumAt: 0,
    sources: [],
    pending: [],
    marks: [],
    breakerUntil: 0,
    lastRegular: 0n,
    accepted: [],
    due: undefined,
    stretches: [],
    intervalFrom: state.time,
    minuteFees: 0n,
    settled: false,
  });
  for (const { positions } of state.accounts) positions.push(blankPosition(id));
  return done;
}

/** The fuzz changes the status, the delivery time and the interval only. */
function change(state: NaiveState, command: Of<'changeMarket'>): NaiveOutcome {
  const market = marketOf(state, command.market);
  const { terms } = market;
  const { deliveryTime = terms.deliveryTime, fundingIntervalHours: intervalHours } = command.terms;
  const wasHalted = market.status === 'HALT';
  market.terms = { ...terms, deliveryTime, intervalHours: intervalHours ?? terms.intervalHours };
  market.status = command.status ?? market.status;
  const opened = wasHalted && market.status !== 'HALT';
  if (opened && isLive(state, market)) liquidationStep(state, [market.id]);
  return done;
}

function credit(state: NaiveState, { address, amount, reference }: Of<'credit'>): NaiveOutcome {
  if (state.vault.address !== '') return { reason: 'vaultBound' };
  if (amount <= 0) return { reason: 'amountInvalid' };
  const reported = `${address} ${amount}`;
  const known = state.references.get(reference);
  if (known !== undefined) return known === reported ? done : { reason: 'referenceConflict' };
  state.references.set(reference, reported);
  const account =
    state.accounts.find((other) => other.address === address) ?? addAccount(state, address);
  account.available += BigInt(amount);
  state.deposits += BigInt(amount);
  return done;
}

function creditInsurance(state: NaiveState, command: Of<'creditInsurance'>): NaiveOutcome {
  if (command.amount <= 0) return { reason: 'amountInvalid' };
  const reported = `insurance ${command.amount}`;
  const known = state.references.get(command.reference);
  if (known !== undefined) return known === reported ? done : { reason: 'referenceConflict' };
  state.references.set(command.reference, reported);
  fundEarns(state, BigInt(command.amount));
  state.deposits += BigInt(command.amount);
  return done;
}

function flagAccount(state: NaiveState, { address, house }: Of<'flagAccount'>): NaiveOutcome {
  const account =
    state.accounts.find((other) => other.address === address) ?? addAccount(state, address);
  account.house = house ?? account.house;
  return done;
}

/**
 * What is due, then what has passed since (FUND-1c); LIQ-5 asks for the test in the command that
 * moves equity.
 */
function settleNow(state: NaiveState, command: Of<'settleFunding'>): NaiveOutcome {
  const market = marketOf(state, command.market);
  if (market.status === 'HALT' || market.settled) return { reason: 'marketHalted' };
  if (!isLive(state, market)) return { reason: 'priceUnavailable' };
  settleDue(state, market);
  settleSoFar(state, market);
  liquidationStep(state, [market.id]);
  return done;
}

function setMarginMode(state: NaiveState, command: Of<'setMarginMode'>): NaiveOutcome {
  const account = state.accounts[command.account]!;
  if (account.isolated === (command.mode === 'isolated')) return done;
  if (state.orders.some((order) => order.account === account.id)) {
    return { reason: 'openOrdersPresent' };
  }
  if (account.positions.some(({ lots }) => lots !== 0n)) return { reason: 'openPositionsPresent' };
  account.isolated = command.mode === 'isolated';
  return done;
}

/**
 * MAR-7: removal must leave collateral + min(0, unrealised) ≥ notional at the mark / leverage, and
 * twice the maintenance.
 */
function transferCollateral(state: NaiveState, command: Of<'transferCollateral'>): NaiveOutcome {
  const account = state.accounts[command.account]!;
  const market = marketOf(state, command.market);
  const position = account.positions[command.market]!;
  const delta = BigInt(command.delta);
  if (!account.isolated) return { reason: 'marginModeCross' };
  if (position.lots === 0n) return { reason: 'positionMissing' };
  if (delta === 0n) return { reason: 'amountInvalid' };
  if (delta > account.available) return { reason: 'balanceInsufficient' };
  if (delta < 0n) {
    // MAR-7a: nothing is removed from a position that is being liquidated.
    if (position.flagged) return { reason: 'balanceInsufficient' };
    const lost = most(0n, -profitOf(state, position));
    // MAR-7b: nothing while the mark is in doubt, more while it is old.
    const age = state.time - market.indexAt;
    if (age > 30_000 || market.pending.length > 0) return { reason: 'balanceInsufficient' };
    const notional = notionalOf(state, position);
    // MAR-4d: also the cost of a delivery in its last hour.
    const settled = settlementLoss(state, command.market, position.lots);
    const gap = age > 5000 ? most(settled, ceilDiv(notional, 10n)) : settled;
    const maintenance = maintenanceOf(state, position);
    const initial = most(ceilDiv(notional, standingLeverage(market, position)), 2n * maintenance);
    const needed = most(initial, maintenance + gap);
    if (position.collateral + delta - lost < needed) return { reason: 'balanceInsufficient' };
  }
  account.available -= delta;
  position.collateral += delta;
  dealCover(state, account.id, market.id);
  return done;
}
