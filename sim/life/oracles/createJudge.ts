// Every check of the clients' memory when the exchange is at rest. The witness reads on in the
// durable log, its auditors check every step, and the program's state must be the witness's. What
// the clients received must be true, in the order in which they received it.

import { checkInvariants } from '../../../src/engine/invariants/invariants.ts';
import { stateHash } from '../../../src/engine/snapshot/stateHash.ts';
import type { LifeView, Violation } from '../ports.ts';
import { createBookAuditor } from './createBookAuditor.ts';
import { createLedgerAuditor } from './createLedgerAuditor.ts';
import { createOnceAuditor } from './createOnceAuditor.ts';
import { createReferralAuditor } from './createReferralAuditor.ts';
import { createTimelineAuditor, type FillNumbers } from './createTimelineAuditor.ts';
import { nameKey } from './keys.ts';
import { checkHistory, type History } from './linearizability.ts';
import { type Timelines, valueAt } from './timelines.ts';
import { type Auditor, createWitness, readOn, type Witness } from './witness.ts';

/** A request that was refused, and that was sent only once: what it named must not exist. */
export type RefusedName = {
  readonly account: number;
  readonly clientOrderId: string;
  readonly what: string;
};

export type Testimony = {
  readonly history: History;
  /** Names that the last check does not know yet. */
  refused: RefusedName[];
};

export type Judge = {
  readonly timelines: Timelines;
  readonly numbers: FillNumbers;
  /** The last step that the witness has taken. */
  readonly end: () => number;
  /** How long ago, by the exchange's time, an order, a position or a trigger last changed. */
  readonly quietMs: () => number;
  readonly check: (view: LifeView, testimony: Testimony) => Violation[];
};

const accountsMax = 4096;

const rough: ReadonlySet<string> = new Set([
  ...['traded', 'orderModified', 'orderCut', 'triggerFired', 'liquidationFlagged', 'takenOver'],
  ...['deleveraged', 'lossCovered', 'profitShared', 'fundingPaid', 'positionSettled'],
  ...['referralAccrued', 'referralClaimed', 'sessionEnded'],
]);

/**
 * Events that change a resting order, a position or a waiting trigger: copies are compared by
 * these.
 */
const stirring: ReadonlySet<string> = new Set([
  ...['orderPlaced', 'orderModified', 'orderCut', 'orderEnded', 'traded'],
  ...['takenOver', 'deleveraged', 'positionSettled'],
  ...['triggerPlaced', 'triggerModified', 'triggerResized', 'triggerTried', 'triggerEnded'],
]);

/** Calls `count` with every event that shows how rough a run was. */
export function createJudge(count: (name: string) => void = () => {}): Judge {
  const timelines: Timelines = new Map();
  const numbers: FillNumbers = new Map();
  let witness: Witness | undefined;
  let changedAt = 0;
  const watchChanges: Auditor = ({ events, exchange }) => {
    for (const { kind } of events) if (rough.has(kind)) count(`event ${kind}`);
    if (events.some(({ kind }) => stirring.has(kind))) changedAt = exchange.time;
    return [];
  };
  return {
    timelines,
    numbers,
    end: () => witness?.index ?? 0,
    quietMs: () => (witness?.state.time ?? 0) - changedAt,
    check: (view, testimony) => {
      witness ??= createWitness(view.exchange.chainId, [
        createTimelineAuditor(timelines, numbers),
        createBookAuditor(),
        createLedgerAuditor(accountsMax, timelines),
        createOnceAuditor(),
        createReferralAuditor(),
        watchChanges,
      ]);
      const found = readOn(witness, view.batchesAfter(witness.state.position), view.isSkipped);
      return [
        ...found,
        ...compareStates(view, witness),
        ...checkHistory(testimony.history, timelines, witness.index),
        ...checkRefused(testimony, timelines, witness.index),
      ];
    },
  };
}

function compareStates({ exchange, position }: LifeView, { state }: Witness): Violation[] {
  if (state.position !== position) {
    return [`the log ends at batch ${state.position}, the program stands at ${position}`];
  }
  const wrong = checkInvariants(exchange).failures.map((failure) => `invariant: ${failure}`);
  const [program, replayed] = [stateHash(exchange), stateHash(state.exchange)];
  if (program === replayed) return wrong;
  return [...wrong, `at batch ${position} the program is ${program}, the log gives ${replayed}`];
}

/** A refusal changes nothing: an order of that name never existed. */
function checkRefused(testimony: Testimony, timelines: Timelines, end: number): Violation[] {
  const { refused } = testimony;
  testimony.refused = [];
  return refused
    .filter(({ account, clientOrderId }) => {
      return valueAt(timelines, nameKey(account, clientOrderId), end) !== '';
    })
    .map(({ what, clientOrderId }) => `${what} was refused, and ${clientOrderId} is there`);
}
