// The next command of a fuzz scenario, drawn with an eye on the oracle's state so that trouble is
// near: orders as large as an account can bear, prices beyond the book, crashes, halts, deliveries.

import type { Command, IndexPrice, PlaceOrder } from '../../src/engine/command.ts';
import { type Side, selfTradeModes, type TimeInForce } from '../../src/engine/orderTypes.ts';
import type { AccountId, Lots, MarketId, Money, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { drawReferral } from './drawReferral.ts';
import { addressOf, chance, type Fuzz, pick, spread } from './drawWorld.ts';
import { sizeOf } from './exact.ts';
import { equityFor, equityOf, maintenanceFor, standingLeverage } from './naiveFigures.ts';
import type { NaiveAccount, NaiveMarket, NaiveOrder, NaiveState } from './naiveState.ts';

const usdt = 1_000_000;

/** In the first part of a scenario positions are built; then trouble comes. */
const isCalm = ({ drawn, length }: Fuzz): boolean => drawn * 5 < length * 2;

/** Time passes, then somebody wants something. */
export function drawCommand(fuzz: Fuzz, state: NaiveState): Command {
  const { prng } = fuzz;
  fuzz.drawn += 1;
  if (fuzz.apart.below(40) === 0) return drawReferral(fuzz.apart, state);
  const wait = drawWait(fuzz);
  fuzz.time += wait;
  if (wait > 5000 && chance(prng, 85)) return drawTick(fuzz, state);
  const draw = prng.below(100);
  if (isCalm(fuzz)) {
    if (draw < 86) return drawOrder(fuzz, state);
    return draw < 97 ? drawTick(fuzz, state) : drawRare(fuzz, state);
  }
  if (fuzz.crash.steps > 0 && chance(prng, 45)) return drawTick(fuzz, state);
  if (draw < 54) return drawOrder(fuzz, state);
  if (draw < 78) return drawTick(fuzz, state);
  if (draw < 83) return drawCancel(fuzz, state);
  return drawRare(fuzz, state);
}

/** Mostly moments; seldom so long that prices age, breakers end or funding falls due. */
function drawWait(fuzz: Fuzz): number {
  const { prng } = fuzz;
  const draw = prng.below(isCalm(fuzz) ? 80 : 1000) / (isCalm(fuzz) ? 1 : 10);
  if (draw < 35) return 0;
  if (draw < 85) return 1 + prng.below(1500);
  if (draw < 91) return 1000 + prng.below(8000);
  if (draw < 98) return 30_000 + prng.below(5000);
  if (draw < 98.4) return 100_000 + prng.below(60_000);
  if (draw < 99) return 600_000 + prng.below(600_000);
  return 3_600_000 + prng.below(30_000_000);
}

const drawAccount = (fuzz: Fuzz, state: NaiveState): NaiveAccount =>
  state.accounts[1 + fuzz.prng.below(state.accounts.length - 1)]!;

const drawMarket = (fuzz: Fuzz, state: NaiveState): NaiveMarket => pick(fuzz.prng, state.markets);

function drawOrder(fuzz: Fuzz, state: NaiveState): PlaceOrder {
  const { prng } = fuzz;
  const account = drawAccount(fuzz, state);
  const maker = chance(prng, 55) ? drawMaker(fuzz, state) : undefined;
  const market = maker === undefined ? drawMarket(fuzz, state) : state.markets[maker.market]!;
  const held = account.positions[market.id]!.lots;
  const closes = held !== 0n && chance(prng, 35);
  const side = closes ? (held > 0n ? -1 : 1) : drawSide(fuzz, maker);
  const type = chance(prng, 15) ? 'MARKET' : 'LIMIT';
  const limit = maker === undefined ? drawTicks(fuzz, market, side) : Number(maker.ticks);
  const ticks = type === 'MARKET' ? 0 : limit;
  const price = ticks === 0 ? Math.max(1, Number(market.mark)) : ticks;
  const lots = closes ? drawClosing(fuzz, held) : drawOpening(fuzz, state, account, market, price);
  fuzz.names += 1;
  return orderCommand({
    account: account.id,
    market: market.id,
    side,
    type,
    timeInForce: type === 'MARKET' ? 'GTC' : drawTimeInForce(fuzz),
    lots: lots as Lots,
    ticks: ticks as Ticks,
    reduceOnly: closes ? chance(prng, 50) : chance(prng, 2),
    selfTradeMode: chance(prng, 70) ? undefined : pick(prng, selfTradeModes),
    clientOrderId: `o${fuzz.names}`,
  });
}

const drawTimeInForce = ({ prng }: Fuzz): TimeInForce =>
  chance(prng, 72) ? 'GTC' : pick(prng, ['IOC', 'IOC', 'FOK', 'GTX']);

/** Somebody to trade with, not far from the mark. */
function drawMaker({ prng }: Fuzz, state: NaiveState): NaiveOrder | undefined {
  const near = state.orders.filter(({ market, ticks }) => {
    const { mark } = state.markets[market]!;
    return sizeOf(ticks - mark) * 50n <= mark;
  });
  return near.length === 0 ? undefined : pick(prng, near);
}

function drawSide({ prng }: Fuzz, maker: NaiveOrder | undefined): Side {
  if (maker === undefined) return chance(prng, 50) ? 1 : -1;
  return maker.side > 0n ? -1 : 1;
}

/** Around the mark, seldom far away. */
function drawTicks(fuzz: Fuzz, market: NaiveMarket, side: Side): number {
  const { prng } = fuzz;
  const width = pick(prng, [0.003, 0.003, 0.01, 0.03, 0.3]);
  const mark = Number(market.mark) || fuzz.prices[market.id]!;
  const worse = side * width * (prng.unit() - 0.25);
  return Math.max(1, Math.round(mark * (1 - worse)));
}

/** All, half, one lot, or more than there is. */
function drawClosing({ prng }: Fuzz, held: bigint): number {
  const size = Math.abs(Number(held));
  const draw = prng.below(10);
  if (draw < 4) return size;
  if (draw < 7) return 1 + prng.below(Math.max(1, Math.min(size, 2 ** 30)));
  if (draw < 8) return 1;
  return size + 1 + prng.below(Math.max(1, Math.min(size, 2 ** 30)));
}

/**
 * A size that money and leverage of the account allow, often to the last lot; sometimes one lot.
 */
function drawOpening(
  fuzz: Fuzz,
  state: NaiveState,
  account: NaiveAccount,
  market: NaiveMarket,
  price: number,
): number {
  const { prng } = fuzz;
  if (chance(prng, 8)) return 1 + prng.below(3);
  const means = chance(prng, 75) ? account.available : equityOf(state, account);
  const leverage = Number(standingLeverage(market, account.positions[market.id]!));
  const whole = (Number(means) * leverage) / (price * Number(market.grain) * 1.005);
  const part = chance(prng, 30) ? 0.9 + 0.12 * prng.unit() : prng.unit();
  return Math.max(1, Math.min(1e9, Math.floor(whole * part)));
}

/** Until a liquidation's thirty seconds are over, or just not (LIQ-1). */
function drawStepWait({ prng, time }: Fuzz, state: NaiveState): number {
  const steps = state.accounts.flatMap((account) =>
    [account, ...account.positions].map(({ steppedAt }) => steppedAt + 30_000 - time),
  );
  const waiting = steps.filter((left) => left > 2 && left < 30_000);
  return waiting.length === 0 ? 1000 : pick(prng, waiting) - 1 + prng.below(3);
}

/** A walk of the prices, or the next step of a crash; sometimes of one market alone. */
function drawTick(fuzz: Fuzz, state: NaiveState): Command {
  const { prng } = fuzz;
  fuzz.time += chance(prng, 15) ? drawStepWait(fuzz, state) : 1 + prng.below(400);
  if (fuzz.crash.steps === 0 && !isCalm(fuzz) && chance(prng, 25)) {
    fuzz.crash = drawCrash(fuzz, state);
  }
  const crashing = fuzz.crash.steps > 0;
  if (crashing) fuzz.crash.steps -= 1;
  const aim = isCalm(fuzz) || crashing ? undefined : drawAim(fuzz, state);
  const alone = chance(prng, 20) ? prng.below(state.markets.length) : -1;
  const prices: IndexPrice[] = [];
  for (const market of state.markets) {
    if (market.settled || (alone >= 0 && alone !== market.id)) continue;
    const calm = 1 + (prng.unit() - 0.5) * pick(prng, [0.002, 0.006, 0.03]);
    const aimed = aim?.market === market.id ? aim.factor : calm;
    const factor = crashing ? drawCrashStep(fuzz, market) : aimed;
    prices.push(...pricesOf(fuzz, market, factor));
  }
  return { kind: 'indexTick', prices };
}

/**
 * A move of one market after which an account has between a fifth and the whole of its maintenance
 * or just above it, so that the steps of a liquidation come one by one.
 */
function drawAim(
  { prng }: Fuzz,
  state: NaiveState,
): { readonly market: number; readonly factor: number } | undefined {
  const held = state.accounts.flatMap((account) =>
    account.positions
      .filter(({ lots }) => lots !== 0n)
      .map(({ market, lots }) => ({ account, market, lots })),
  );
  if (held.length === 0 || chance(prng, 50)) return undefined;
  const { account, market, lots } = pick(prng, held);
  const { mark, grain, terms } = state.markets[market]!;
  const equity = Number(equityFor(state, account, market));
  const maintenance = Number(maintenanceFor(state, account, market));
  const part = 0.2 + 0.9 * prng.unit();
  const rate = (part * Number(terms.maintenance)) / 1e8;
  const perTick = Number(lots * grain) - rate * Math.abs(Number(lots * grain));
  const factor = 1 + (part * maintenance - equity) / perTick / Number(mark);
  return { market, factor: Math.min(3, Math.max(0.3, factor)) };
}

/** Markets fall together, or rise, or sometimes each its own way. */
function drawCrash({ prng, temper }: Fuzz, state: NaiveState): Fuzz['crash'] {
  const steps = 1 + prng.below(temper.crashSteps);
  const together = chance(prng, 65);
  const apart = chance(prng, 30);
  const factors = state.markets.map(() => {
    const depth = temper.crash[0] + temper.crash[1] * prng.unit();
    const falls = apart ? chance(prng, 50) : together;
    return (falls ? 1 - depth : 1 / (1 - depth)) ** (1 / steps);
  });
  return { factors, steps };
}

function drawCrashStep({ prng, temper, crash }: Fuzz, market: NaiveMarket): number {
  return crash.factors[market.id]! * (1 + temper.crash[0] * 0.2 * (prng.unit() - 0.5));
}

/** A market without an operator's price moves by less than the gate's tenth, mostly. */
function pricesOf(fuzz: Fuzz, market: NaiveMarket, factor: number): IndexPrice[] {
  const manual = market.terms.sources.some(({ source }) => source === 'manual');
  const bound = manual || chance(fuzz.prng, 5) ? 1 : 0.095;
  const last = market.index === 0n ? fuzz.prices[market.id]! : Number(market.index);
  const bounded = Math.min(1 + bound, Math.max(1 - bound, factor));
  const ticks = Math.max(10, Math.round(last * bounded));
  fuzz.prices[market.id] = ticks;
  const silent = chance(fuzz.prng, 15) ? fuzz.prng.below(3) : -1;
  return market.terms.sources
    .filter((_, at) => at !== silent)
    .map(({ source }) => ({
      market: market.id as MarketId,
      source,
      ticks: (source === 'two' ? drawSecond(fuzz, ticks) : ticks) as Ticks,
      observedAt: fuzz.time as Time,
    }));
}

/** The price of the second source: about the same, or sometimes another one. */
function drawSecond({ prng }: Fuzz, ticks: number): number {
  if (chance(prng, 90)) return ticks + prng.below(3);
  return Math.max(1, Math.round(ticks * (0.7 + 0.6 * prng.unit())));
}

function drawCancel(fuzz: Fuzz, state: NaiveState): Command {
  const { prng } = fuzz;
  if (state.orders.length === 0) return drawTick(fuzz, state);
  const { account, market, name } = pick(prng, state.orders);
  const place = { account: account as AccountId, market: market as MarketId };
  if (chance(prng, 15)) return { kind: 'cancelAllOrders', ...place };
  return { kind: 'cancelOrder', ...place, order: { clientOrderId: name } };
}

function drawRare(fuzz: Fuzz, state: NaiveState): Command {
  const { prng } = fuzz;
  const draw = prng.below(16);
  if (draw < 3) return drawCredit(fuzz, state);
  if (draw < 6) return drawStatus(fuzz, state);
  if (draw < 7) return drawInterval(fuzz, state);
  if (draw < 9) {
    fuzz.time += 1;
    return { kind: 'settleFunding', market: drawMarket(fuzz, state).id as MarketId };
  }
  if (draw < 11) return drawTransfer(fuzz, state);
  const account = drawAccount(fuzz, state).id as AccountId;
  if (draw < 13) {
    const mode = chance(prng, 50) ? 'cross' : 'isolated';
    return { kind: 'setMarginMode', account, mode };
  }
  if (draw < 14) {
    const house = chance(prng, 50);
    return { kind: 'flagAccount', address: addressOf(account), house, feeTier: undefined };
  }
  const market = drawMarket(fuzz, state).id as MarketId;
  return { kind: 'setLeverage', account, market, leverage: 1 + prng.below(52) };
}

function drawCredit(fuzz: Fuzz, state: NaiveState): Command {
  const { prng } = fuzz;
  fuzz.names += 1;
  const reference = `r${fuzz.names}`;
  const amount = (spread(prng, 1, 3000) * usdt) as Money;
  if (chance(prng, 40)) return { kind: 'creditInsurance', amount, reference };
  return { kind: 'credit', address: addressOf(drawAccount(fuzz, state).id), amount, reference };
}

/** A closed market mostly opens; an open one halts, closes, or closes for its delivery. */
function drawStatus(fuzz: Fuzz, state: NaiveState): Command {
  const { prng } = fuzz;
  const market = drawMarket(fuzz, state);
  const change = { kind: 'changeMarket', market: market.id as MarketId, terms: {} } as const;
  if (market.settled || market.terms.deliveryTime > 0) return drawOrder(fuzz, state);
  if (market.status !== 'TRADING') return { ...change, status: 'TRADING' };
  const draw = prng.below(3);
  if (draw === 0) return { ...change, status: 'HALT' };
  if (draw === 1) return { ...change, status: 'CLOSE' };
  const minutes = 1 + Math.floor(fuzz.time / 60_000);
  const deliveryTime = (minutes * 60_000) as Time;
  return { ...change, terms: { deliveryTime }, status: 'CLOSE' };
}

/** Another length of the interval of funding. */
function drawInterval(fuzz: Fuzz, state: NaiveState): Command {
  const market = drawMarket(fuzz, state);
  if (market.settled) return drawTick(fuzz, state);
  const terms = { fundingIntervalHours: pick(fuzz.prng, [1, 2, 8, 24]) };
  return { kind: 'changeMarket', market: market.id as MarketId, terms, status: undefined };
}

/** Collateral of an isolated position, more or less of it. */
function drawTransfer(fuzz: Fuzz, state: NaiveState): Command {
  const { prng } = fuzz;
  const places = state.accounts.flatMap((account) =>
    account.isolated
      ? account.positions.filter(({ lots }) => lots !== 0n).map((p) => ({ account, p }))
      : [],
  );
  if (places.length === 0) return drawTick(fuzz, state);
  const { account, p } = pick(prng, places);
  const adds = chance(prng, 50);
  const whole = Number(adds ? account.available : p.collateral);
  const amount = Math.max(1, Math.floor(whole * prng.unit() * 1.05));
  return {
    kind: 'transferCollateral',
    account: account.id as AccountId,
    market: p.market as MarketId,
    delta: (adds ? amount : -amount) as Money,
  };
}
