// The target of cost: what a request costs the trading thread, compared with the budgets of
// costBudget.ts. `count` is the number of requests, sent in bursts of equal ones. It first tries
// the requests that once cost too much, then cases that each begin their own seed. It reports each
// class of requests once.

import type { CostClass, References } from './costBudget.ts';
import { type CostWorld, drawCostCase } from './costCase.ts';
import { knownCases, plainCommand } from './costKnown.ts';
import { createSpenders } from './costLimits.ts';
import {
  type CostCase,
  createClients,
  createMeter,
  type Meter,
  type Verdict,
} from './costMeter.ts';
import { openCostStage } from './costStage.ts';
import { sendAll } from './costWire.ts';
import { createDraw } from './draw.ts';
import {
  sentenceOf,
  type Target,
  type TargetReport,
  type TargetRun,
  type Violation,
} from './target.ts';

export type CostOptions = {
  /** How many times its budget a request may cost; 1 except in a short test on a busy machine. */
  readonly margin: number;
  /** Accounts whose orders make the book deep, 200 orders each. */
  readonly makers: number;
  /** The run ends after this many violations. */
  readonly violationsMax: number;
};

export const costTarget: Target = createCostTarget({ margin: 1, makers: 15, violationsMax: 40 });

export function createCostTarget({ margin, makers, violationsMax }: CostOptions): Target {
  return async (run) => {
    const at = await openCostStage({ makers });
    const clients = createClients();
    let meter: Meter | undefined;
    try {
      const world: CostWorld = { at, clients, spenders: createSpenders(at) };
      meter = await createMeter({
        plain: at.plain,
        bare: at.bare,
        ping: Buffer.from('GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n'),
        limited: plainRefusal(world),
        command: { open: plainCommand(world, false), fresh: plainCommand(world, true) },
        margin,
      });
      return await tryCosts(run, { world, meter, violationsMax });
    } finally {
      meter?.close();
      clients.close();
      await at.close();
    }
  };
}

function plainRefusal({ at, spenders, clients }: CostWorld): CostCase {
  return {
    kind: 'refused',
    what: 'a plain refusal',
    target: at.narrow,
    weight: 0,
    burstMax: 20,
    prepare: async (count) => {
      const headers = await spenders.spend('public');
      const request = Buffer.from(`GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      const requests = Array.from({ length: count }, () => request);
      const open = clients.of(at.narrow);
      return () => sendAll({ clients: open, requests, fresh: false, pipelined: false });
    },
  };
}

type Trying = {
  readonly world: CostWorld;
  readonly meter: Meter;
  readonly violationsMax: number;
};

async function tryCosts(run: TargetRun, trying: Trying): Promise<TargetReport> {
  const { world, meter, violationsMax } = trying;
  const violations: Violation[] = [];
  const found = new Set<string>();
  const tally: Record<string, number> = {};
  const worst: Partial<Record<CostClass, number>> = {};
  let [cases, requests] = [0, 0];
  const goesOn = (): boolean => violations.length < violationsMax && !run.stopped();
  const suspects: (() => Promise<void>)[] = [];
  const tryOne = async (
    again: string,
    draw: () => Promise<CostCase> | CostCase,
    isSuspect = false,
  ): Promise<void> => {
    run.trying(again);
    try {
      await world.at.pass();
      const tried = await draw();
      const verdict = await meter.judge(tried);
      if (tried.endsSession) await world.at.renewSession();
      requests += verdict.requests;
      tally[tried.kind] = (tally[tried.kind] ?? 0) + verdict.requests;
      worst[tried.kind] = Math.max(worst[tried.kind] ?? 0, rounded(verdict.ratio));
      const what = verdict.wrong ?? (verdict.isOver ? 'over its budget' : undefined);
      if (what === undefined || found.has(groupOf(tried))) return;
      if (verdict.wrong === undefined && !isSuspect) {
        suspects.push(() => tryOne(again, draw, true));
        return;
      }
      found.add(groupOf(tried));
      violations.push({ what: describe(tried, what, verdict), again });
    } catch (error) {
      violations.push({ what: sentenceOf(error), again });
    }
  };
  for (const known of knownCases(world)) {
    if (goesOn()) await tryOne('cost --count 0', () => known);
  }
  requests = 0;
  for (; goesOn() && requests < run.count; cases += 1) {
    const seed = run.seed + cases;
    await tryOne(`cost --seed ${seed} --count 1`, () => drawCostCase(createDraw(seed), world));
  }
  // What the machine did meanwhile may have raised a cost: it must be over its budget at another
  // time, too.
  for (const trySuspect of suspects) if (goesOn()) await trySuspect();
  const figures = {
    ...{ requests, suspects: suspects.length },
    ...{ worst_ratio: worst, references: shown(meter.references()) },
  };
  return { cases, tally, violations, figures };
}

/** The class without sizes. */
const groupOf = ({ kind, what }: CostCase): string => `${kind} ${what.replace(/\d+ bytes/, '')}`;

function describe({ kind, what }: CostCase, wrong: string, verdict: Verdict): string {
  const { ratio, us, budgetUs, statuses } = verdict;
  return (
    `${kind}: ${what}: ${wrong}, ratio ${rounded(ratio)}: ${Math.round(us)} µs where ` +
    `${Math.round(budgetUs)} µs are its budget; answered ${statuses}`
  );
}

const rounded = (value: number): number => Number(value.toPrecision(3));

const shown = (references: References): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(references).map(([name, value]) => [name, rounded(value)]));
