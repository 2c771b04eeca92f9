// The report of a simulated day: a table of the hour of the crash, a line of progress from time to
// time, and at the end the figures, in words and as the fields of one line of JSON.

import { ladderOf } from '../src/engine/book/book.ts';
import { depthOf } from '../src/engine/book/depth.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import { stateHash } from '../src/engine/snapshot/stateHash.ts';
import { formatTrimmed } from '../src/units/decimal.ts';
import { type AccountId, type Money, moneyDecimals, usdt } from '../src/units/units.ts';
import type { CrashDayFigures, CrashDayWatch } from './crashDayWatch.ts';
import { type PricePath, stepsPerSecond, timeOfStep } from './pricePath.ts';
import { equityAt, maintenanceAt } from './shadowLedger.ts';
import { market } from './simMarket.ts';

type Row = {
  readonly time: number;
  readonly index: string;
  readonly mark: string;
  /** Bids within 2 % below the index: now, and the least since the previous row. */
  readonly depth: number;
  readonly depthMin: number;
  readonly openInterest: number;
  readonly liquidated: number;
  readonly flagged: number;
  readonly book: number;
  readonly takeover: number;
  readonly adl: number;
  readonly fund: number;
  readonly fundLots: string;
};

export type CrashDayReport = {
  /** Steps of the hour of the crash: it ends after the lowest price. */
  readonly crashFrom: number;
  readonly crashTo: number;
  readonly rows: Row[];
  /** The sums at the previous row. */
  before: Pick<CrashDayFigures, 'bookNotional' | 'takeoverNotional' | 'adlNotional'>;
  liquidatedBefore: number;
  depthMin: number;
  /**
   * At the lowest print: the number of accounts that would fail if it were the mark, and do not
   * fail.
   */
  atLowestPrint: { ticks: number; failing: number };
};

const rowSteps = 600 * stepsPerSecond;
const crashSteps = 6 * rowSteps;

/** The hour is placed so that the lowest price is in its second-last ten minutes. */
export function createReport({ lowStep, start }: PricePath): CrashDayReport {
  const offset = Math.round(((start % 600_000) / 600_000) * rowSteps);
  const lowRow = Math.floor((lowStep + offset) / rowSteps);
  const crashFrom = Math.max(0, (lowRow - 4) * rowSteps - offset);
  return {
    crashFrom,
    crashTo: crashFrom + crashSteps,
    rows: [],
    before: { bookNotional: 0, takeoverNotional: 0, adlNotional: 0 },
    liquidatedBefore: 0,
    depthMin: Number.POSITIVE_INFINITY,
    atLowestPrint: { ticks: Number.POSITIVE_INFINITY, failing: 0 },
  };
}

type Step = {
  readonly path: PricePath;
  readonly step: number;
  readonly say: (line: string) => void;
};

/** Checks the exchange after a step; gives whether the step is in the hour of the crash. */
export function noteStep(
  report: CrashDayReport,
  watch: CrashDayWatch,
  exchange: Exchange,
  { path, step, say }: Step,
): boolean {
  const inCrash = step >= report.crashFrom && step <= report.crashTo;
  const time = timeOfStep(path, step);
  noteLowestPrint(report, watch);
  if (inCrash && step % stepsPerSecond === 0) {
    report.depthMin = Math.min(report.depthMin, bidDepth(watch, exchange));
  }
  if (time % (inCrash ? 60_000 : 600_000) !== 0) return inCrash;
  const { commands } = watch.figures;
  say(`  ${clock(time)} index ${priceText(exchange, watch.index)}, ${commands} commands`);
  if (inCrash && time % 600_000 === 0) report.rows.push(rowOf(report, watch, exchange, time));
  return inCrash;
}

function noteLowestPrint({ atLowestPrint }: CrashDayReport, watch: CrashDayWatch): void {
  const { ledger, figures, flagged } = watch;
  if (figures.lowestTrade >= atLowestPrint.ticks) return;
  atLowestPrint.ticks = figures.lowestTrade;
  atLowestPrint.failing = 0;
  for (let account = 1; account < ledger.cash.length; account += 1) {
    const id = account as AccountId;
    if (ledger.lots[id] === 0 || flagged.has(id)) continue;
    const ticks = atLowestPrint.ticks as typeof watch.mark;
    if (equityAt(ledger, id, ticks) < maintenanceAt(ledger, id, ticks)) atLowestPrint.failing += 1;
  }
}

function rowOf(
  report: CrashDayReport,
  watch: CrashDayWatch,
  exchange: Exchange,
  time: number,
): Row {
  const { figures, liquidated, flagged, ledger } = watch;
  const { before } = report;
  const depth = bidDepth(watch, exchange);
  const row = {
    time,
    index: priceText(exchange, watch.index),
    mark: priceText(exchange, watch.mark),
    depth,
    depthMin: Math.min(depth, report.depthMin),
    openInterest: openInterest(watch),
    liquidated: liquidated.size - report.liquidatedBefore,
    flagged: flagged.size,
    book: figures.bookNotional - before.bookNotional,
    takeover: figures.takeoverNotional - before.takeoverNotional,
    adl: figures.adlNotional - before.adlNotional,
    fund: equityAt(ledger, 0 as AccountId, watch.mark),
    fundLots: formatLots(exchange, ledger.lots[0]!),
  };
  const { bookNotional, takeoverNotional, adlNotional } = figures;
  report.before = { bookNotional, takeoverNotional, adlNotional };
  report.liquidatedBefore = liquidated.size;
  report.depthMin = Number.POSITIVE_INFINITY;
  return row;
}

/** Notional of the bids within 2 % below the index. */
function bidDepth({ index }: CrashDayWatch, exchange: Exchange): number {
  const { book, grain } = exchange.markets[market]!;
  let depth = 0;
  for (const [ticks, lots] of depthOf(ladderOf(book, 1), 1000)) {
    if (ticks * 100 < index * 98) break;
    depth += ticks * lots * grain;
  }
  return depth;
}

/** Notional of all long positions, with those of makers. */
function openInterest({ ledger, index }: CrashDayWatch): number {
  let lots = 0;
  for (const held of ledger.lots) lots += Math.max(0, held);
  return lots * index * ledger.grain;
}

const clock = (time: number): string => new Date(time).toISOString().slice(11, 19);

function priceText(exchange: Exchange, ticks: number): string {
  const { decimals, step } = exchange.markets[market]!.tick;
  return formatTrimmed(ticks * step, decimals);
}

function formatLots(exchange: Exchange, lots: number): string {
  const { decimals, step } = exchange.markets[market]!.lot;
  return formatTrimmed(lots * step, decimals);
}

const whole = (money: number): string => Math.round(money / usdt).toLocaleString('en-US');

const exact = (money: number): string => formatTrimmed(money as Money, moneyDecimals);

/** The table and the sums of the day. */
export function tellReport(
  report: CrashDayReport,
  watch: CrashDayWatch,
  exchange: Exchange,
  path: PricePath,
  say: (line: string) => void,
): void {
  const { figures, steps, liquidated } = watch;
  const low = priceText(exchange, path.ticks[path.lowStep]!);
  say(
    `lowest index ${low} at ${clock(timeOfStep(path, path.lowStep))}; ten minutes to a row, before it the day; USDT:`,
  );
  tellTable(report.rows, say);
  say(`accounts liquidated: ${liquidated.size}, innocent: ${figures.innocentLiquidated}`);
  say(
    `closed by the book ${whole(figures.bookNotional)}, by the fund ` +
      `${whole(figures.takeoverNotional)}, by deleveraging ${whole(figures.adlNotional)} ` +
      `(${steps.deleveragings} steps, ${steps.deleveragedLots} lots of ${steps.dueLots} due)`,
  );
  say(
    `the fund lost ${exact(figures.insuranceUsed)} and took ${exact(figures.liquidationFees)} ` +
      `of fees; reduced at the mark by ${whole(figures.fundReduction)}; ` +
      `deficit of the deleveraged ${exact(steps.deficit)}`,
  );
  say(
    `worst |mark − index| ${(figures.markIndexDifference * 100).toFixed(4)} %; breaker ` +
      `${figures.breakersTripped} times; ${figures.indexesRefused} indexes refused; ` +
      `${figures.fundingBoundaries} funding boundaries; ${figures.triggersFired} triggers fired`,
  );
  const { ticks, failing } = report.atLowestPrint;
  const print = Number.isFinite(ticks) ? priceText(exchange, ticks) : 'none';
  say(
    `lowest trade that was no liquidation: ${print}; a mark of that price would have put ` +
      `${failing} more accounts below maintenance at that moment`,
  );
  if (figures.printsTraded > 0) say(`${figures.printsTraded} recorded prints were traded`);
  say(
    `${figures.commands} commands (${figures.rejections} rejected), ${figures.trades} trades; ` +
      `${figures.moneyChecks} checks of all money, ${figures.fullChecks} of everything`,
  );
}

function tellTable(rows: readonly Row[], say: (line: string) => void): void {
  const columns: readonly (readonly [string, (row: Row) => string])[] = [
    ['until', ({ time }) => clock(time)],
    ['index', ({ index }) => index],
    ['mark', ({ mark }) => mark],
    ['bids 2 %', ({ depth }) => whole(depth)],
    ['least bids', ({ depthMin }) => whole(depthMin)],
    ['open interest', ({ openInterest }) => whole(openInterest)],
    ['liquidated', ({ liquidated }) => String(liquidated)],
    ['flagged', ({ flagged }) => String(flagged)],
    ['book', ({ book }) => whole(book)],
    ['takeover', ({ takeover }) => whole(takeover)],
    ['ADL', ({ adl }) => whole(adl)],
    ['fund equity', ({ fund }) => whole(fund)],
    ['fund coins', ({ fundLots }) => fundLots],
  ];
  const cells = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, of]) => of(row))),
  ];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  for (const line of cells) {
    say(`  ${line.map((cell, i) => cell.padStart(widths[i]!)).join('  ')}`);
  }
}

/** The fields of the last line; money in USDT. */
export type CrashDayResult = ReturnType<typeof resultOf>;

export function resultOf(watch: CrashDayWatch, exchange: Exchange, seconds: number) {
  const { figures, steps, liquidated, violations } = watch;
  const money = (value: number): number => Number(exact(value));
  return {
    sim: 'crash-day',
    liquidated: liquidated.size,
    insurance_used: money(figures.insuranceUsed),
    deficit: money(steps.deficit),
    adl_notional: money(figures.adlNotional),
    honest_losses: money(figures.honestLosses),
    adl_lots: steps.deleveragedLots,
    takeover_notional: money(figures.takeoverNotional),
    book_notional: money(figures.bookNotional),
    fund_reduction: money(figures.fundReduction),
    shortfall: money(exchange.funds.shortfall),
    negative_buckets: figures.negativeBuckets,
    conserved: figures.unconserved === 0 && figures.faults === 0,
    mark_index_max_difference: Number(figures.markIndexDifference.toFixed(8)),
    innocent_liquidated: figures.innocentLiquidated,
    violations: violations.count,
    open_interest_max: money(figures.openInterestMax),
    rejections: figures.rejections,
    commands: figures.commands,
    state_hash: stateHash(exchange),
    seconds: Number(seconds.toFixed(1)),
    full_checks: figures.fullChecks,
  };
}

/** The figures by which a day with brackets is compared with one without. */
export function sideBySide(without: CrashDayResult, bracketed: CrashDayResult): string[] {
  const rows = [
    ['accounts liquidated', 'liquidated'],
    ['the fund paid', 'insurance_used'],
    ['deleveraged notional', 'adl_notional'],
    ['losses of honest accounts', 'honest_losses'],
    ['taken over by the fund', 'takeover_notional'],
    ['closed by the book', 'book_notional'],
    ['highest open interest', 'open_interest_max'],
    ['rejected commands', 'rejections'],
  ] as const;
  const line = (name: string, one: string, other: string): string =>
    `  ${name.padEnd(26)}${one.padStart(18)}${other.padStart(18)}`;
  return [
    line('', 'one bracket', 'brackets'),
    ...rows.map(([name, field]) => line(name, String(without[field]), String(bracketed[field]))),
  ];
}
