// The steps of liquidations, reconstructed from events: what each had to close, what book, fund and
// deleveraging took of it, and whether deleveraging took exactly what it had to of an account below
// two thirds of its maintenance margin (LIQ-3, LIQ-4).

import type { MarketTerms } from '../src/engine/marketTerms.ts';
import type { Deleveraged } from '../src/engine/riskEvent.ts';
import { type AccountId, rateOne, type Ticks } from '../src/units/units.ts';
import { equityAt, maintenanceAt, type ShadowLedger } from './shadowLedger.ts';
import { type Violations, violated } from './violations.ts';

type Step = {
  /** Lots that the step must close, and those that are closed already. */
  readonly wanted: number;
  done: number;
  deleveraged: number;
  /** What deleveraging has to close: all that is left, or the part that restores maintenance. */
  due: number;
};

export type LiquidationSteps = {
  /** Those of the present command, by account; the account's next step replaces a finished one. */
  readonly open: Map<AccountId, Step>;
  /** Steps that reached deleveraging, the lots it took, and the lots that it had to take. */
  deleveragings: number;
  deleveragedLots: number;
  dueLots: number;
  /** Σ max(0, −equity) when deleveraging began. */
  deficit: number;
};

export function createLiquidationSteps(): LiquidationSteps {
  return { open: new Map(), deleveragings: 0, deleveragedLots: 0, dueLots: 0, deficit: 0 };
}

/** A position of at most this notional is closed whole (LIQ-1). */
const wholeNotionalMax = 100_000_000_000;

type World = {
  readonly steps: LiquidationSteps;
  readonly ledger: ShadowLedger;
  readonly terms: MarketTerms;
  readonly mark: Ticks;
  readonly violations: Violations;
};

/**
 * The exchange sends `lots` of an account to the book: the quantity that the step must close
 * (LIQ-1).
 */
export function noteOrdered(world: World, account: AccountId, lots: number): void {
  const { wanted } = stepOf(world, account);
  if (lots === wanted) return;
  violated(world.violations, `account ${account} has to close ${lots} lots instead of ${wanted}`);
}

/** Called before the ledger books it: book or fund close `lots` of an account. */
export function noteClosed(world: World, account: AccountId, lots: number): void {
  stepOf(world, account).done += lots;
}

/** Called before the ledger books it: `lots` of a bankrupt account are deleveraged. */
export function noteDeleveraged(world: World, event: Deleveraged): void {
  const { steps, ledger, mark, violations } = world;
  const { account } = event.bankrupt;
  const step = stepOf(world, account);
  if (step.deleveraged === 0) {
    const equity = equityAt(ledger, account, mark);
    const maintenance = maintenanceAt(ledger, account, mark);
    const { marginStatus } = event;
    const name = `account ${account} is deleveraged at equity ${equity} of ${maintenance}`;
    if (marginStatus.equity !== equity || marginStatus.maintenance !== maintenance) {
      const reported = `${marginStatus.equity} of ${marginStatus.maintenance}`;
      violated(violations, `${name}, the event says ${reported}`);
    }
    if (3 * equity >= 2 * maintenance) {
      violated(violations, `${name}: not below two thirds (LIQ-4)`);
    }
    step.due = Math.min(step.wanted - step.done, dueLots(world, event));
    steps.deleveragings += 1;
    steps.dueLots += step.due;
    steps.deficit += Math.max(0, -equity);
  }
  step.deleveraged += event.lots;
  step.done += event.lots;
  steps.deleveragedLots += event.lots;
}

/** The account's step in progress, or the one that begins now. */
function stepOf(world: World, account: AccountId): Step {
  const { open } = world.steps;
  const present = open.get(account);
  if (present !== undefined && present.done < present.wanted) return present;
  const step = { wanted: lotsToClose(world, account), done: 0, deleveraged: 0, due: 0 };
  open.set(account, step);
  return step;
}

/**
 * All of it when it is small or when equity < 2/3 of maintenance; else the larger of a fifth and
 * ceil((1.2 × maintenance − equity) / ((1.2 × own rate − fee rate) × mark)) (LIQ-1).
 */
function lotsToClose(world: World, account: AccountId): number {
  const { ledger, terms, mark } = world;
  const size = Math.abs(ledger.lots[account]!);
  const equity = equityAt(ledger, account, mark);
  const maintenance = maintenanceAt(ledger, account, mark);
  if (size * mark * ledger.grain <= wholeNotionalMax || 3 * equity < 2 * maintenance) return size;
  const missing = 12 * maintenance - 10 * equity;
  const cost = terms.liquidationFeeRate;
  const restoring = lotsToFree(world, account, { missing, tenths: 12, cost });
  return Math.min(size, Math.max(restoring, Math.ceil(size / 5)));
}

/**
 * The lots that deleveraging takes at most (LIQ-3): all of an account without equity, and all at
 * its bankruptcy price; else, two thirds of the market's maintenance rate from the mark, what
 * brings it back to its maintenance. The ledger does not know what is owed of funding, so the
 * bankruptcy price is only known to be no further away than the equity.
 */
function dueLots({ ledger, mark, violations }: World, event: Deleveraged): number {
  const { account } = event.bankrupt;
  const size = Math.abs(ledger.lots[account]!);
  const equity = equityAt(ledger, account, mark);
  if (equity <= 0) return size;
  const cost = Math.ceil((2 * ledger.maintenanceRate) / 3);
  const away = event.side * (event.ticks - mark);
  const most = Math.floor((mark * cost) / rateOne);
  const bankruptcy = Math.floor(equity / (size * ledger.grain));
  if (away > Math.min(most, bankruptcy)) {
    violated(violations, `account ${account} is deleveraged ${away} ticks from the mark (LIQ-3)`);
  }
  if (away < most || bankruptcy <= most) return size;
  const missing = 10 * (maintenanceAt(ledger, account, mark) - equity);
  return lotsToFree({ ledger, mark }, account, { missing, tenths: 10, cost });
}

type Missing = { readonly missing: number; readonly tenths: number; readonly cost: number };

/** ceil(missing / ((tenths × own rate − 10 × cost) × mark)), missing in tenths. */
function lotsToFree(
  { ledger, mark }: Pick<World, 'ledger' | 'mark'>,
  account: AccountId,
  { missing, tenths, cost }: Missing,
): number {
  // The own rate of the position × size (MAR-10).
  const lots = BigInt(Math.abs(ledger.lots[account]!));
  const weight = lots * BigInt(ledger.maintenanceRate) + ledger.surcharges[account]!;
  const freed = BigInt(tenths) * weight - 10n * BigInt(cost) * lots;
  const perLot = freed * BigInt(mark * ledger.grain);
  return Number((BigInt(missing) * BigInt(rateOne) * lots + perLot - 1n) / perLot);
}

/** At the end of a command: no step closed more than was due, and nothing due was left. */
export function endSteps({ steps, violations }: World): void {
  for (const [account, { wanted, done, deleveraged, due }] of steps.open) {
    if (done > wanted) {
      violated(violations, `account ${account}: ${done} lots were closed instead of ${wanted}`);
    } else if (deleveraged !== due) {
      const lots = `${deleveraged} lots were deleveraged instead of ${due}`;
      violated(violations, `account ${account}: ${lots} (LIQ-4)`);
    }
  }
  steps.open.clear();
}
