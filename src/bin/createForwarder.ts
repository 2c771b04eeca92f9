// The commands that a process which follows passes on to the holder of the lease, and those that
// wait for their outcome. The decisions are in link/forwarding.ts.

import type { Command } from '../engine/command.ts';
import { accountById, type Exchange } from '../engine/views/exchange.ts';
import type { Beside } from '../link/beside.ts';
import { encodeForwarded } from '../link/forwardedCommand.ts';
import {
  actsDue,
  createForwarding,
  type ForwardAct,
  forgetAll,
  forward,
  onApplied,
  onLinked,
  onRefused,
  onSettled,
  onUnlinked,
} from '../link/forwarding.ts';
import {
  type ForwardedRequest,
  type RequestRefusal,
  recordBytesMax,
  requestsMax,
} from '../link/linkMessage.ts';
import { commandBytes } from '../replica/commandBytes.ts';
import type { ForwardRefusal } from '../replica/createFollowingReplica.ts';
import type { Lane, Replica, Waiter } from '../replica/replica.ts';
import { must } from '../std/assert.ts';
import { stopwatchMs } from '../std/clock.ts';
import type { AccountId } from '../units/units.ts';
import type { OrderShare } from './createOrderShare.ts';
import { isStillCaller } from './isStillCaller.ts';

export type Forwarder = {
  /** As the replica passes commands on: undefined, or why it cannot. */
  readonly forward: (command: Command, lane: Lane, waiter: Waiter) => ForwardRefusal | undefined;
  /** A link to the holder is open, over which requests can be sent. */
  readonly onLinked: (send: (requests: readonly ForwardedRequest[]) => void) => void;
  readonly onUnlinked: () => void;
  readonly onSettled: (position: number) => void;
  readonly onRefused: (number: number, why: RequestRefusal) => void;
  /**
   * The waiters of the commands of the batch at this position, by their places in it. The caller
   * applies the batch next.
   */
  readonly take: (
    position: number,
    besides: readonly Beside[],
  ) => ReadonlyMap<number, Waiter> | undefined;
  /** Commands that were passed on and have no outcome yet. */
  readonly waiting: () => number;
  /** To be called several times a second. */
  readonly tick: () => void;
  /**
   * This process writes from now on, and has applied the whole log: what no batch contains was
   * never executed, and is submitted here.
   */
  readonly handOver: (replica: Pick<Replica, 'submit' | 'whyRefused'>) => void;
};

export type CreateForwarder = {
  /** The name of this process in the log. */
  readonly process: string;
  /** It has applied the log up to here. */
  readonly position: number;
  readonly exchange: Exchange;
  /** What counts the orders of its clients. */
  readonly orders: Pick<OrderShare, 'take' | 'giveBack' | 'lead'>;
};

type Passed = {
  readonly command: Command;
  readonly lane: Lane;
  readonly waiter: Waiter;
  /** When it came, by the stopwatch. */
  readonly at: number;
};

export function createForwarder(options: CreateForwarder): Forwarder {
  const { process, position, exchange, orders } = options;
  const forwarding = createForwarding(process, position);
  const passed = new Map<number, Passed>();
  let ids = 0;
  const outbox = createOutbox();
  const takePassed = (id: number): Passed => {
    const found = must(passed.get(id), 'what was passed on is known');
    passed.delete(id);
    return found;
  };
  const perform = (acts: readonly ForwardAct[]): void => {
    for (const act of acts) {
      if (act.kind === 'send') outbox.send(act.request);
      if (act.kind === 'refuse') refuse(takePassed(act.id), act.why, orders);
      if (act.kind === 'unknown') takePassed(act.id).waiter.refuse?.('fateUnknown');
    }
  };
  return {
    forward: (command, lane, waiter) => {
      const record = recordOf({ command, lane, waiter }, exchange);
      if (record.length > recordBytesMax) return 'overloaded';
      ids += 1;
      const ageMs = waiter.beside?.ageMs ?? 0;
      const request = { id: ids, record, sender: accountOf(command), ageMs };
      const acts = forward(forwarding, request, stopwatchMs());
      if (acts[0]?.kind === 'refuse') return acts[0].why === 'waiting' ? 'waiting' : 'overloaded';
      passed.set(ids, { command, lane, waiter, at: stopwatchMs() - ageMs });
      perform(acts);
      return undefined;
    },
    onLinked: (sending) => {
      outbox.open(sending);
      perform(onLinked(forwarding, stopwatchMs()));
    },
    onUnlinked: () => {
      outbox.close();
      onUnlinked(forwarding);
    },
    onSettled: (settled) => perform(onSettled(forwarding, settled, stopwatchMs())),
    onRefused: (number, why) => perform(onRefused(forwarding, number, why)),
    take: (applied, besides) => {
      const batch = { position: applied, origins: besides.map(({ origin }) => origin) };
      const acts = onApplied(forwarding, batch, stopwatchMs());
      if (acts.length === 0) return undefined;
      const answers = acts.filter((act) => act.kind === 'answer');
      perform(acts);
      return new Map(answers.map(({ index, id }) => [index, takePassed(id).waiter]));
    },
    waiting: () => passed.size,
    tick: () => perform(actsDue(forwarding, stopwatchMs())),
    handOver: (replica) => {
      const rest = [...passed.values()];
      passed.clear();
      forgetAll(forwarding);
      orders.lead(rest.flatMap(({ waiter }) => waiter.beside?.charge ?? []));
      for (const each of rest) submitHere(each, replica, options);
    },
  };
}

/** An order that the holder's limits refuse is counted nowhere. */
function refuse(
  { waiter }: Passed,
  why: RequestRefusal,
  { giveBack }: Pick<OrderShare, 'giveBack'>,
): void {
  if (why === 'callerChanged') return waiter.passedOn?.onChanged();
  const charge = waiter.beside?.charge;
  if (why === 'tooManyRequests' && charge !== undefined) giveBack(charge);
  waiter.refuse?.(why);
}

/** It keeps the deadline of its receipt, and counts again where the limits are decided now. */
function submitHere(
  { command, lane, waiter, at }: Passed,
  { submit, whyRefused }: Pick<Replica, 'submit' | 'whyRefused'>,
  { exchange, orders: { take } }: Pick<CreateForwarder, 'exchange' | 'orders'>,
): void {
  const { passedOn } = waiter;
  if (passedOn !== undefined && !isStillCaller(exchange, accountOf(command), passedOn.caller)) {
    return passedOn.onChanged();
  }
  const before = waiter.beside?.charge;
  const charge = before && take(before);
  if (typeof charge === 'string') return waiter.refuse?.(charge);
  const beside = { ageMs: Math.round(stopwatchMs() - at), ...(charge && { charge }) };
  if (!submit(command, lane, { ...waiter, beside })) waiter.refuse?.(whyRefused(lane));
}

type SendAll = (requests: readonly ForwardedRequest[]) => void;

/** Requests of one turn go out together, as those of one turn share a batch. */
function createOutbox() {
  let sendAll: SendAll | undefined;
  let leaving: ForwardedRequest[] = [];
  const flush = (): void => {
    const requests = leaving;
    leaving = [];
    for (let at = 0; at < requests.length; at += requestsMax) {
      sendAll?.(requests.slice(at, at + requestsMax));
    }
  };
  return {
    send: (request: ForwardedRequest): void => {
      if (leaving.length === 0) setImmediate(flush);
      leaving.push(request);
    },
    open: (sending: SendAll): void => {
      sendAll = sending;
    },
    close: (): void => {
      sendAll = undefined;
      leaving = [];
    },
  };
}

function recordOf(
  { command, lane, waiter }: Pick<Passed, 'command' | 'lane' | 'waiter'>,
  exchange: Exchange,
): Buffer {
  const wallet = walletOf(command, exchange);
  const key = waiter.beside?.charge?.key;
  const caller = waiter.passedOn?.caller;
  return encodeForwarded({ lane, wallet, key, caller, command: commandBytes(command) });
}

/** The account that a command names; a batch is of one account (`checkForwarded.ts`). */
export function accountOf(command: Command): AccountId | undefined {
  const named = command.kind === 'batch' ? command.items[0] : command;
  return (named as { readonly account?: AccountId } | undefined)?.account;
}

/** The wallet of the account that a command names; empty: it names none. */
export function walletOf(command: Command, exchange: Exchange): string {
  const account = accountOf(command);
  return account !== undefined ? (accountById(exchange, account)?.address ?? '') : '';
}
