// The target of decimals: prices, quantities, money and rates as texts, and products of them,
// compared with exact fractions of bigints. The reference reads a text character by character and
// shares nothing with src/units.

import {
  formatQuotient,
  formatScaled,
  formatSteps,
  formatTrimmed,
  parseDecimal,
  parseScaled,
} from '../src/units/decimal.ts';
import { mulDivCeil, mulDivFloor, mulDivHalfEven } from '../src/units/mulDiv.ts';
import { createDraw, type Draw, spoilText } from './draw.ts';
import { demand, type TargetReport, type TargetRun, tryAlone } from './target.ts';

const safeMax = Number.MAX_SAFE_INTEGER;

/** Cases of texts and of numbers in turn. */
export function decimalsTarget(run: TargetRun): Promise<TargetReport> {
  return tryAlone('decimals', run, (seed) => {
    const draw = createDraw(seed);
    switch (draw.below(3)) {
      case 0:
        return checkText(drawText(draw), drawGrid(draw));
      case 1:
        return checkFormats(draw);
      default:
        return checkProducts(draw);
    }
  });
}

type Grid = { readonly decimals: number; readonly step: number };

function drawGrid(draw: Draw): Grid {
  return { decimals: draw.below(9), step: draw.pick([1, 1, 1, 2, 5, 25, 1 + draw.below(1000)]) };
}

function drawText(draw: Draw): string {
  const sign = draw.pick(['', '', '', '-', '+']);
  const whole = draw.pick(['', '0', '00', '1', '9007199254740991', '9007199254740992']);
  const drawn = draw.once(2) ? draw.digits(draw.below(20)) : whole;
  const point = draw.pick(['', '.', '.', '.']);
  const fraction = point === '' ? '' : draw.pick(['', '0', draw.digits(draw.below(12))]);
  const power = draw.pick(['', '', '', `e${draw.below(50) - 25}`, `E+${draw.below(9)}`, 'e']);
  const text = sign + drawn + point + fraction + power;
  return draw.once(4) ? spoilText(draw, text) : text;
}

/**
 * value = digits × 10^power; undefined for a text that is not a decimal of the interface (UNIT-4).
 */
export type Exact = { readonly digits: bigint; readonly power: number };

/** Reads character by character. */
export function readExactly(text: string): Exact | undefined {
  if (text.length > 64) return undefined;
  let at = 0;
  const isDigit = (): boolean => text[at] !== undefined && text[at]! >= '0' && text[at]! <= '9';
  const sign = text[at] === '-' ? -1n : 1n;
  if (text[at] === '-' || text[at] === '+') at += 1;
  let digits = 0n;
  let [before, after, power] = [0, 0, 0];
  for (; isDigit(); at += 1, before += 1) digits = digits * 10n + BigInt(text[at]!);
  if (text[at] === '.') {
    at += 1;
    for (; isDigit(); at += 1, after += 1) digits = digits * 10n + BigInt(text[at]!);
  }
  if (before + after === 0) return undefined;
  if (text[at] === 'e' || text[at] === 'E') {
    // The exponent form must be a JSON number: it has digits before the point.
    if (before === 0) return undefined;
    at += 1;
    const negative = text[at] === '-';
    if (text[at] === '-' || text[at] === '+') at += 1;
    const first = at;
    for (; isDigit(); at += 1) power = power * 10 + Number(text[at]);
    if (at === first || at - first > 4 || power > 40) return undefined;
    if (negative) power = -power;
  }
  return at === text.length ? { digits: sign * digits, power: power - after } : undefined;
}

/** Compares the reading of one text with the reference; gives the kind of result. */
export function checkText(text: string, { decimals, step }: Grid): string {
  const exact = readExactly(text);
  const described = (): string => `${JSON.stringify(text)} on ${decimals}/${step}`;
  const parsed = parseDecimal(text);
  const scaled = parseScaled(text, decimals, step);
  demand((parsed === undefined) === (exact === undefined), () => `${described()} is read or not`);
  if (exact === undefined || parsed === undefined) {
    demand(scaled.kind === 'malformed', () => `${described()} is ${scaled.kind}, not malformed`);
    return 'malformed';
  }
  // Both as whole numbers of 10^-90.
  const value = exact.digits * 10n ** BigInt(exact.power + 90);
  const signed = parsed.negative ? -parsed.digits : parsed.digits;
  const read = signed * 10n ** BigInt(90 - parsed.scale);
  demand(read === value, () => `${described()} is read as another number`);
  const unit = BigInt(step) * 10n ** BigInt(90 - decimals);
  const quotient = value / unit;
  const magnitude = quotient < 0n ? -quotient : quotient;
  const expected =
    magnitude > BigInt(safeMax) ? 'outOfRange' : value % unit === 0n ? 'exact' : 'inexact';
  demand(scaled.kind === expected, () => `${described()} is ${scaled.kind}, not ${expected}`);
  if (scaled.kind !== 'exact' && scaled.kind !== 'inexact') return expected;
  const same = scaled.value === Number(quotient) && !Object.is(scaled.value, -0);
  demand(same, () => `${described()} is ${scaled.value} steps, not ${quotient}`);
  if (scaled.kind === 'exact') {
    const again = parseScaled(
      formatSteps(BigInt(scaled.value), { decimals, step }),
      decimals,
      step,
    );
    const back = again.kind === 'exact' && again.value === scaled.value;
    demand(back, () => `${described()} is not read back from its own text`);
  }
  return expected;
}

/** A number of any size, with the bounds of exactness among them. */
function drawNumber(draw: Draw): number {
  const bound = draw.pick([10, 1000, 2 ** 26, 2 ** 31]);
  const near = draw.pick([0, 1, 2 ** 26, 2 ** 31, 2 ** 52, 2 ** 53 - 1]);
  const value = draw.once(3)
    ? Math.max(0, near - draw.below(4))
    : draw.once(2)
      ? draw.below(bound)
      : Math.min(safeMax, draw.below(2 ** 22) * 2 ** 31 + draw.below(2 ** 31));
  return draw.once(3) ? -value + 0 : value;
}

function checkFormats(draw: Draw): string {
  const value = drawNumber(draw);
  const decimals = draw.below(9);
  for (const text of [
    formatScaled(value, decimals),
    formatTrimmed(value, decimals),
    formatScaled(BigInt(value), decimals),
  ]) {
    const exact = readExactly(text);
    const back = exact === undefined ? undefined : exact.digits * 10n ** BigInt(exact.power + 20);
    const same = back === BigInt(value) * 10n ** BigInt(20 - decimals);
    demand(same && !/^-0*\.?0*$/.test(text), () => `${value} by ${decimals} is told as ${text}`);
  }
  const trimmed = formatTrimmed(value, decimals);
  demand(!/\.\d*0$|\.$/.test(trimmed), () => `${value} by ${decimals} is trimmed to ${trimmed}`);
  const divisor = 1 + draw.below(2 ** 31 - 1);
  const [numerator, denominator] = [BigInt(value), BigInt(divisor)];
  const text = formatQuotient(numerator, denominator, decimals);
  const described = readExactly(text);
  const ten = 10n ** BigInt(decimals);
  const units =
    described === undefined
      ? undefined
      : described.digits * 10n ** BigInt(decimals + described.power);
  const expected = halfEven(numerator * ten, denominator);
  demand(units === expected, () => `${value} / ${divisor} by ${decimals} is told as ${text}`);
  return 'format';
}

function floorOf(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const floor = floorOf(numerator, denominator);
  const twice = 2n * (numerator - floor * denominator);
  if (twice === denominator) return floor % 2n === 0n ? floor : floor + 1n;
  return twice > denominator ? floor + 1n : floor;
}

function checkProducts(draw: Draw): string {
  const a = drawNumber(draw);
  const b = drawNumber(draw);
  const c = Math.max(1, Math.abs(drawNumber(draw)));
  const product = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const floor = floorOf(product, divisor);
  const ceil = -floorOf(-product, divisor);
  let result = 'product';
  for (const [name, operation, exact] of [
    ['floor', mulDivFloor, floor],
    ['ceil', mulDivCeil, ceil],
    ['half even', mulDivHalfEven, halfEven(product, divisor)],
  ] as const) {
    const made = attempt(() => operation(a, b, c));
    // Half to even is computed from the floor, which must be safe too.
    const safe = isSafe(exact) && (name !== 'half even' || isSafe(floor));
    if (!safe) result = 'product out of range';
    const right = safe ? made === Number(exact) && !Object.is(made, -0) : isRefused(made, exact);
    demand(right, () => `${name} of ${a} × ${b} / ${c} is ${made}, not ${exact}`);
  }
  return result;
}

const isSafe = (value: bigint): boolean => value <= BigInt(safeMax) && value >= -BigInt(safeMax);

/** Beyond the safe integers no result may be given, because it would look exact. */
function isRefused(made: number | undefined, exact: bigint): boolean {
  return made === undefined || BigInt(made) === exact;
}

function attempt(make: () => number): number | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
