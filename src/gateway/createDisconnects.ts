// Cancel on disconnect (COD-1) between sockets and the log: gives connections their numbers, arms
// and disarms them by commands, and reports their ends. No end is lost: it goes through the reserve
// lane, and waits here while that lane refuses it. What the log has ended by itself is closed.

import type { Command } from '../engine/command.ts';
import type { Event } from '../engine/event.ts';
import { connectionsPerCommandMax } from '../engine/limits.ts';
import type { Outcome } from '../engine/outcome.ts';
import { accountById } from '../engine/views/exchange.ts';
import type { Replica } from '../replica/replica.ts';
import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import type {
  Arming,
  DisconnectFailure,
  DisconnectSwitch,
  Disconnects,
  SettleSwitch,
} from '../streams/disconnectSwitch.ts';
import type { AccountId } from '../units/units.ts';
import { chargeWork, hasAccountRoom, takeAccountWeight } from './accountCeilings.ts';
import { type RateLimits, recordOf, takeInMinute } from './rateLimits.ts';

/** What one request to arm or to disarm weighs (COD-3). */
export const disconnectWeight = 5;
/** Commands about ends that wait for the log at the same time; later ends share the next one. */
const endingsMax = 64;

type Options = {
  readonly replica: Pick<Replica, 'exchange' | 'submit' | 'whyRefused' | 'whenDurable'>;
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** By default all. */
  readonly numbers?: ConnectionNumbers;
};

/**
 * The numbers that a process gives to connections. Each process of a deployment has others: with
 * the same number, the end of one connection would end the orders of another.
 */
export type ConnectionNumbers = { readonly first: number; readonly last: number };

type Run = Omit<Options, 'numbers'> & {
  readonly numbers: ConnectionNumbers;
  /** The last number that a connection got. */
  lastNumber: number;
  /** Armings by account, to end those whose login ends. */
  readonly byAccount: Map<AccountId, Set<Armed>>;
  /** The same by number. */
  readonly byNumber: Map<number, Armed>;
  /** Numbers of ended connections that no command names yet. */
  waiting: number[];
  /** Commands about ends that wait for the log. */
  endings: number;
};

/** A connection that one account has armed, or is about to arm. */
type Armed = {
  readonly number: number;
  arming: Arming;
  /** Whether it is armed in the state, after the commands that were applied so far. */
  isArmed: boolean;
  /** Commands about it that are not applied yet. */
  sent: number;
  readonly endLogin: () => void;
  /** The log has ended it, and its client does not know. */
  readonly lose: () => void;
};

export type GatewayDisconnects = Disconnects & {
  /** The events of a step; the exchange is in the state after it. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** Several times a second: reports the ends that the log has refused. */
  readonly tick: () => void;
};

export function createDisconnects(options: Options): GatewayDisconnects {
  const { numbers = { first: 1, last: Number.MAX_SAFE_INTEGER } } = options;
  const run: Run = {
    ...{ ...options, numbers, lastNumber: numbers.first - 1 },
    ...{ byAccount: new Map(), byNumber: new Map(), waiting: [], endings: 0 },
  };
  return {
    open: (close) => createSwitch(run, close),
    takeRequest: (account) => takeRequest(run, account),
    onEvents: (events) => {
      if (run.byNumber.size === 0) return;
      endLogins(run, events);
      loseEnded(run, events);
    },
    tick: () => reportEnds(run),
  };
}

function createSwitch(run: Run, close: () => void): DisconnectSwitch {
  let armed: Armed | undefined;
  const drop = (dropped: Armed): void => {
    forget(run, dropped);
    armed = undefined;
  };
  const end = (): void => {
    if (armed === undefined) return;
    const { number } = armed;
    drop(armed);
    run.waiting.push(number);
    reportEnds(run);
  };
  const endLogin = (): void => {
    const ended = armed?.arming;
    end();
    ended?.onEnd();
  };
  const lose = (): void => {
    // A request that was sent before, and comes into the log later, could arm it once more.
    end();
    run.replica.whenDurable(close);
  };
  /** A command about the connection was applied, or refused. */
  const note = (switched: Armed, isArmed: boolean): void => {
    switched.sent -= 1;
    switched.isArmed = isArmed;
    // A later command may arm it again.
    if (switched.sent === 0 && !isArmed && armed === switched) drop(switched);
  };
  const arm = (arming: Arming, settle: SettleSwitch): void => {
    if (armed !== undefined && armed.arming.account !== arming.account) end();
    const { account, markets } = arming;
    if (armed === undefined) {
      armed = { number: nextNumber(run), arming, isArmed: false, sent: 0, endLogin, lose };
      remember(run, armed);
    }
    const switched = armed;
    switched.arming = arming;
    switched.sent += 1;
    const { number: connection } = switched;
    send(run, { kind: 'armConnection', account, connection, markets }, (failure) => {
      note(switched, switched.isArmed || mayBeArmed(failure));
      return () => settle(failure);
    });
  };
  const disarm = (account: AccountId, settle: SettleSwitch): void => {
    if (armed?.arming.account !== account) {
      // What has disarmed it may not be durable yet (COD-7).
      return run.replica.whenDurable(() => settle(undefined));
    }
    const switched = armed;
    switched.sent += 1;
    send(run, { kind: 'disarmConnection', account, connection: switched.number }, (failure) => {
      note(switched, switched.isArmed && failure !== undefined);
      return () => settle(failure);
    });
  };
  return { isArmed: () => armed !== undefined, arm, disarm, end, endLogin };
}

/** The end of a connection that may be armed is reported like that of an armed one. */
const mayBeArmed = (failure: DisconnectFailure | undefined): boolean =>
  failure === undefined || failure.reason === 'fateUnknown';

/** Numbers of long ago come again, because a range may have an end. */
function nextNumber(run: Run): number {
  const { first, last } = run.numbers;
  do {
    run.lastNumber = run.lastNumber >= last ? first : run.lastNumber + 1;
  } while (run.byNumber.has(run.lastNumber));
  return run.lastNumber;
}

function remember({ byAccount, byNumber }: Run, armed: Armed): void {
  const { account } = armed.arming;
  byNumber.set(armed.number, armed);
  const present = byAccount.get(account);
  if (present === undefined) byAccount.set(account, new Set([armed]));
  else present.add(armed);
}

function forget({ byAccount, byNumber }: Run, armed: Armed): void {
  const { account } = armed.arming;
  byNumber.delete(armed.number);
  const present = must(byAccount.get(account), 'an armed connection is listed');
  present.delete(armed);
  if (present.size === 0) byAccount.delete(account);
}

type OfAccount = Extract<Command, { readonly kind: 'armConnection' | 'disarmConnection' }>;

/**
 * `capture` gets the failure when the command was applied, and gives what to do when it is durable.
 */
function send(
  run: Run,
  command: OfAccount,
  capture: (failure: DisconnectFailure | undefined) => () => void,
): void {
  const { replica, limits, clock } = run;
  let settle = (): void => {};
  const accepted = replica.submit(command, 'reserve', {
    capture: (outcome, work) => {
      const account = accountById(replica.exchange, command.account);
      if (account !== undefined) chargeWork(limits, account, work, clock.now());
      settle = capture(outcome.kind === 'rejected' ? outcome.rejection : undefined);
    },
    release: () => settle(),
    refuse: (reason) => capture({ reason })(),
  });
  if (!accepted) capture({ reason: replica.whyRefused('reserve') })();
}

/** Submits what waits, at once for a single end; many ends at one moment share commands. */
function reportEnds(run: Run): void {
  while (run.waiting.length > 0 && run.endings < endingsMax) {
    const connections = run.waiting.slice(0, connectionsPerCommandMax);
    const onFate = (isDone: boolean): void => {
      run.endings -= 1;
      // It waited too long for its place in the log, or is not known to be there: the next tick
      // tries again. An end that comes twice changes nothing.
      if (!isDone) run.waiting.push(...connections);
    };
    const waiter = {
      capture: ({ kind }: Outcome) => onFate(kind !== 'rejected'),
      release: () => {},
      refuse: () => onFate(false),
    };
    const accepted = run.replica.submit({ kind: 'endConnections', connections }, 'reserve', waiter);
    if (!accepted) return;
    run.endings += 1;
    run.waiting = run.waiting.slice(connections.length);
  }
}

/** Ends what a session that has ended, or a key that serves no more, has armed (COD-4). */
function endLogins({ byAccount }: Run, events: readonly Event[]): void {
  for (const event of events) {
    if (!('account' in event) || !loginEvents.has(event.kind)) continue;
    const armed = byAccount.get(event.account as AccountId) ?? [];
    for (const { arming, endLogin } of [...armed]) if (!arming.isAllowed()) endLogin();
  }
}

/** COD-6: this process was away from the others, and its connections were taken as lost. */
function loseEnded({ byNumber }: Run, events: readonly Event[]): void {
  for (const event of events) {
    if (event.kind === 'connectionEnded') byNumber.get(event.connection)?.lose();
  }
}

const loginEvents: ReadonlySet<Event['kind']> = new Set([
  'sessionEnded',
  'apiKeyUpdated',
  'apiKeyDeleted',
]);

/** As a request of the native surface that weighs `disconnectWeight` (AUTH-7, AUTH-7a). */
function takeRequest({ replica, limits, clock }: Run, id: AccountId): boolean {
  const account = accountById(replica.exchange, id);
  if (account === undefined) return false;
  const now = clock.now();
  const charge = { account, weight: disconnectWeight, isOrder: false, now };
  const { requests } = recordOf(limits.accounts, id, now);
  const taking = { amount: disconnectWeight, ceiling: limits.ceilings.nativeAccount, now };
  if (!hasAccountRoom(limits, charge) || !takeInMinute(requests, taking)) return false;
  takeAccountWeight(limits, charge);
  return true;
}
