// The order of steps in the engine, and nothing else: how a batch begins, which operation runs a
// command, and what must hold after each. It is the only entry to the state machine.

import { assert, Fault, unreachable } from '../std/assert.ts';
import { heapPeek } from '../std/heap.ts';
import type { Time } from '../units/units.ts';
import { assertCommandConserves } from './clearing/conservation.ts';
import { updateSomeKeys } from './clearing/liquidationIndex.ts';
import type { Batch, Command, PlaceOrder, PlaceTrigger } from './command.ts';
import type { ConnectionCommand } from './connectionCommand.ts';
import type { Exchange, Timer } from './exchange.ts';
import { forgetGuests } from './forgetGuests.ts';
import { disconnectWorkMax, expiryWorkMax, timerWorkPerBatchMax } from './limits.ts';
import { armConnection, disarmConnection } from './operations/armConnection.ts';
import { bindReferral } from './operations/bindReferral.ts';
import { bindVault } from './operations/bindVault.ts';
import { cancelAllOrders } from './operations/cancelAllOrders.ts';
import { cancelOrder } from './operations/cancelOrder.ts';
import {
  cancelAllTriggers,
  cancelTrigger,
  expireClosePositions,
  expireGoodTill,
} from './operations/cancelTrigger.ts';
import { changeMarket, raiseMaintenance } from './operations/changeMarket.ts';
import { claimReferral } from './operations/claimReferral.ts';
import { correctCredit } from './operations/correctCredit.ts';
import { createApiKey } from './operations/createApiKey.ts';
import { credit } from './operations/credit.ts';
import { creditDeposit } from './operations/creditDeposit.ts';
import { creditParked } from './operations/creditFromVault.ts';
import { creditInsurance } from './operations/creditInsurance.ts';
import { deleteApiKey } from './operations/deleteApiKey.ts';
import { endConnections, endDisconnected } from './operations/endConnections.ts';
import { endSessions } from './operations/endSessions.ts';
import { expireSettled } from './operations/expireSettled.ts';
import { flagAccount } from './operations/flagAccount.ts';
import { followPairs, forgetStirred } from './operations/followPairs.ts';
import { indexTick } from './operations/indexTick.ts';
import { listMarket } from './operations/listMarket.ts';
import { forgetNonce, login } from './operations/login.ts';
import { onDeliveryTimer, onFundingTimer } from './operations/marketTimers.ts';
import { modifyOrder } from './operations/modifyOrder.ts';
import { modifyTrigger } from './operations/modifyTrigger.ts';
import { placeOrder } from './operations/placeOrder.ts';
import { placeTrigger } from './operations/placeTrigger.ts';
import { reportWithdrawal } from './operations/reportWithdrawal.ts';
import { requestWithdrawal } from './operations/requestWithdrawal.ts';
import { resolveWithdrawal } from './operations/resolveWithdrawal.ts';
import { lowerEmptyFlags } from './operations/runLiquidations.ts';
import { expireCountdown, setCountdown } from './operations/setCountdown.ts';
import { setFeeTiers } from './operations/setFeeTiers.ts';
import { setLeverage } from './operations/setLeverage.ts';
import { setMarginMode } from './operations/setMarginMode.ts';
import { setProtection } from './operations/setProtection.ts';
import { setRateTier } from './operations/setRateTier.ts';
import { setReferralCode } from './operations/setReferralCode.ts';
import { setReferralTerms } from './operations/setReferralTerms.ts';
import { settleFunding } from './operations/settleFunding.ts';
import { setWithdrawalTerms } from './operations/setWithdrawalTerms.ts';
import { shareFees } from './operations/shareFees.ts';
import { transferCollateral } from './operations/transferCollateral.ts';
import { updateApiKey } from './operations/updateApiKey.ts';
import { type Outcome, rejected } from './outcome.ts';
import type { ReferralCommand } from './referralCommand.ts';
import type { Rejection } from './rejection.ts';
import { takeDueOfMarkets, takeDueTimer } from './timers.ts';
import { rollbackTentative } from './undo.ts';
import type { VaultCommand } from './vaultCommand.ts';
import type { Look } from './views/trial.ts';
import { partsOf, unitsOfWork, workOf } from './work.ts';

/**
 * Begins a batch. The engine's time becomes the batch's time. The fund gets its share of the fees
 * of a minute that has ended (LIQ-8), and parked money is tried again (VLT-3). Due timers run, by
 * time and then by number, before the first command of the batch: as many as one batch may run, and
 * the others at the beginning of the next ones. Timers of markets all run at once (ORD-15). Then
 * orders of ended connections end (COD-5) and triggers of settled markets (SYM-2b), and guests
 * whose day is over are forgotten (AUTH-5a). Events gather in `exchange.events`.
 */
export function beginBatch(exchange: Exchange, time: Time): void {
  assert(time >= exchange.time, 'the time of batches never runs backwards');
  const before = exchange.time;
  exchange.time = time;
  exchange.work = 0;
  if (shareFees(exchange, before)) finishStep(exchange);
  if (creditParked(exchange, before)) finishStep(exchange);
  const workMax = partsOf(timerWorkPerBatchMax);
  while (exchange.work < workMax) {
    const timer = takeDueTimer(exchange, time);
    if (timer === undefined) break;
    runOne(exchange, timer);
  }
  if (exchange.work >= workMax) {
    for (const timer of takeDueOfMarkets(exchange, time)) runOne(exchange, timer);
  }
  if (exchange.connections.queue.length > 0) {
    endDisconnected(exchange, exchange.work + partsOf(disconnectWorkMax));
    finishStep(exchange);
  }
  expireSettled(exchange, exchange.work + partsOf(expiryWorkMax));
  forgetGuests(exchange);
  followPairs(exchange);
}

/**
 * Whether work of the present time remains for the beginning of the next batch (ORD-15, SYM-2b,
 * COD-5).
 */
export function isBehind({ connections, expiring, time, timers }: Exchange): boolean {
  if (expiring.length > 0 || connections.queue.length > 0) return true;
  return (heapPeek(timers)?.time ?? Number.POSITIVE_INFINITY) <= time;
}

function runOne(exchange: Exchange, timer: Timer): void {
  exchange.work += workOf.timer;
  runTimer(exchange, timer);
  finishStep(exchange);
}

/**
 * What follows every command and timer: ends caused by fills, the legs of pairs, the liquidation
 * index, the check of money.
 */
function finishStep(exchange: Exchange): void {
  if (exchange.flattened.length > 0) {
    const { flattened, accounts } = exchange;
    for (const { account } of flattened) lowerEmptyFlags(exchange, accounts[account]!);
    expireClosePositions(exchange);
  }
  followPairs(exchange);
  updateSomeKeys(exchange);
  assertCommandConserves(exchange);
}

function runTimer(exchange: Exchange, timer: Timer): void {
  switch (timer.kind) {
    case 'countdown':
      return expireCountdown(exchange, timer);
    case 'nonce':
      return forgetNonce(exchange, timer);
    case 'maintenance':
      return raiseMaintenance(exchange, timer);
    case 'funding':
      return onFundingTimer(exchange, timer);
    case 'delivery':
      return onDeliveryTimer(exchange, timer);
    case 'goodTill':
      return expireGoodTill(exchange, timer);
    default:
      return unreachable(timer.kind);
  }
}

/**
 * Applies one command of the log. A `deadline` of 0 means none. A rejection changes only the list
 * of events. An assertion that fails before the command is committed becomes the rejection `fault`.
 * A later fault leaves this function and ends the process, because the state can no longer be
 * trusted. `exchange.work` then has the command's cost (ORD-14).
 */
export function applyCommand(exchange: Exchange, command: Command, deadline: Time): Outcome {
  exchange.work = 0;
  if (deadline !== 0 && exchange.time > deadline) {
    return recordRejection(exchange, { reason: 'deadlinePassed' });
  }
  if (command.kind === 'batch') return applyBatch(exchange, command);
  return applySingle(exchange, command);
}

function applyBatch(exchange: Exchange, batch: Batch): Outcome {
  const items = batch.items.map((item) => applySingle(exchange, item));
  return { kind: 'accepted', items };
}

function applySingle(exchange: Exchange, command: Exclude<Command, Batch>): Outcome {
  exchange.work += workOf.command;
  const { sequence } = exchange;
  const eventCount = exchange.events.length;
  exchange.committed = false;
  let outcome: Outcome;
  try {
    outcome = dispatch(exchange, command);
  } catch (error) {
    if (!(error instanceof Fault) || exchange.committed) throw error;
    takeBack(exchange, sequence, eventCount);
    return recordRejection(exchange, { reason: 'fault', detail: error.message });
  }
  if (outcome.kind === 'rejected') {
    assert(exchange.sequence === sequence, 'a rejection draws no number');
    exchange.events.push({ kind: 'rejected', reason: outcome.rejection.reason });
  }
  finishStep(exchange);
  return outcome;
}

/** An outcome, and its cost in units of work (ORD-14). */
export type Tested = { readonly outcome: Outcome; readonly work: number };

/**
 * What placing the order would do now. Everything is undone (order/test). `look` sees the state
 * that an accepted order would leave; it must not write.
 */
export function testOrder(
  exchange: Exchange,
  command: PlaceOrder | PlaceTrigger,
  look?: Look,
): Tested {
  exchange.work = workOf.command;
  const outcome = testPlacement(exchange, command, look);
  return { outcome, work: unitsOfWork(exchange.work) };
}

function testPlacement(
  exchange: Exchange,
  command: PlaceOrder | PlaceTrigger,
  look: Look | undefined,
): Outcome {
  const { sequence } = exchange;
  const eventCount = exchange.events.length;
  exchange.committed = false;
  try {
    const outcome =
      command.kind === 'placeOrder'
        ? placeOrder(exchange, command, true, look)
        : placeTrigger(exchange, command, true);
    takeBack(exchange, sequence, eventCount);
    return outcome;
  } catch (error) {
    if (exchange.committed) throw error;
    // Also when a reader has failed: the state is as it was.
    takeBack(exchange, sequence, eventCount);
    if (!(error instanceof Fault)) throw error;
    return rejected({ reason: 'fault', detail: error.message });
  }
}

function recordRejection(exchange: Exchange, rejection: Rejection): Outcome {
  exchange.events.push({ kind: 'rejected', reason: rejection.reason });
  return rejected(rejection);
}

function takeBack(exchange: Exchange, sequence: number, eventCount: number): void {
  if (exchange.undo.active) rollbackTentative(exchange.undo);
  exchange.taker = null;
  exchange.drafted = null;
  exchange.sequence = sequence;
  exchange.ended.length = 0;
  exchange.flattened.length = 0;
  forgetStirred(exchange);
  exchange.events.length = eventCount;
}

function dispatch(exchange: Exchange, command: Exclude<Command, Batch>): Outcome {
  switch (command.kind) {
    case 'placeOrder':
      return placeOrder(exchange, command);
    case 'cancelOrder':
      return cancelOrder(exchange, command);
    case 'placeTrigger':
      return placeTrigger(exchange, command);
    case 'cancelTrigger':
      return cancelTrigger(exchange, command);
    case 'cancelAllTriggers':
      return cancelAllTriggers(exchange, command);
    case 'modifyTrigger':
      return modifyTrigger(exchange, command);
    case 'modifyOrder':
      return modifyOrder(exchange, command);
    case 'cancelAllOrders':
      return cancelAllOrders(exchange, command);
    case 'indexTick':
      return indexTick(exchange, command);
    case 'setLeverage':
      return setLeverage(exchange, command);
    case 'setCountdown':
      return setCountdown(exchange, command);
    case 'listMarket':
      return listMarket(exchange, command);
    case 'changeMarket':
      return changeMarket(exchange, command);
    default:
      return dispatchRare(exchange, command);
  }
}

type Frequent =
  | 'placeOrder'
  | 'cancelOrder'
  | 'placeTrigger'
  | 'cancelTrigger'
  | 'cancelAllTriggers'
  | 'modifyTrigger'
  | 'modifyOrder'
  | 'cancelAllOrders'
  | 'indexTick'
  | 'setLeverage'
  | 'setCountdown'
  | 'listMarket'
  | 'changeMarket'
  | 'batch';

/** Money, accounts, keys and fees. */
function dispatchRare(
  exchange: Exchange,
  command: Exclude<Command, { readonly kind: Frequent }>,
): Outcome {
  switch (command.kind) {
    case 'credit':
      return credit(exchange, command);
    case 'correctCredit':
      return correctCredit(exchange, command);
    case 'creditInsurance':
      return creditInsurance(exchange, command);
    case 'settleFunding':
      return settleFunding(exchange, command);
    case 'setProtection':
      return setProtection(exchange, command);
    case 'setMarginMode':
      return setMarginMode(exchange, command);
    case 'transferCollateral':
      return transferCollateral(exchange, command);
    case 'requestWithdrawal':
      return requestWithdrawal(exchange, command);
    case 'resolveWithdrawal':
      return resolveWithdrawal(exchange, command);
    case 'setFeeTiers':
      return setFeeTiers(exchange, command);
    case 'flagAccount':
      return flagAccount(exchange, command);
    case 'login':
      return login(exchange, command);
    case 'endSessions':
      return endSessions(exchange, command);
    case 'createApiKey':
      return createApiKey(exchange, command);
    case 'updateApiKey':
      return updateApiKey(exchange, command);
    case 'deleteApiKey':
      return deleteApiKey(exchange, command);
    case 'setRateTier':
      return setRateTier(exchange, command);
    default:
      return dispatchOther(exchange, command);
  }
}

/** A group of its own, because a switch over all commands is too long. */
function dispatchOther(
  exchange: Exchange,
  command: ReferralCommand | ConnectionCommand | VaultCommand,
): Outcome {
  switch (command.kind) {
    case 'bindVault':
      return bindVault(exchange, command);
    case 'creditDeposit':
      return creditDeposit(exchange, command);
    case 'reportWithdrawal':
      return reportWithdrawal(exchange, command);
    case 'setWithdrawalTerms':
      return setWithdrawalTerms(exchange, command);
    case 'setReferralCode':
      return setReferralCode(exchange, command);
    case 'bindReferral':
      return bindReferral(exchange, command);
    case 'claimReferral':
      return claimReferral(exchange, command);
    case 'setReferralTerms':
      return setReferralTerms(exchange, command);
    case 'armConnection':
      return armConnection(exchange, command);
    case 'disarmConnection':
      return disarmConnection(exchange, command);
    case 'endConnections':
      return endConnections(exchange, command);
    default:
      return unreachable(command);
  }
}
