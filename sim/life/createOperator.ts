// The operator of a run, through the operator's own listener: lists and delivers markets, changes
// terms, halts, credits and pays out money. It repeats every request until the answer is certain,
// and deposits several times. It keeps the amounts that the books must then show. Before clients
// begin it makes their accounts, logins, keys, referral codes and bindings.

import type { Exchange } from '../../src/engine/exchange.ts';
import type { MarketStatus } from '../../src/engine/marketTerms.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { LifeNetwork } from './createLifeNetwork.ts';
import { sourceNames } from './createLifePrices.ts';
import { type Asking, logIn, nativeOf, refer, setUpAddress } from './enterAccount.ts';
import { countIn, type LifeWorld } from './lifeWorld.ts';
import type { Answer, ClientKey, LifeMarket, Request } from './ports.ts';
import { operatorToken } from './startProgram.ts';

export type Operator = {
  /** Sets up markets, accounts, money and keys, without faults. */
  readonly setUp: () => Promise<void>;
  /** From now on acts from time to time, until `end`. */
  readonly begin: () => void;
  readonly end: () => void;
  /** Whether every request has got its answer. */
  readonly idle: () => boolean;
  /** Compares the books with the money paid in and out; at the end exactly. */
  readonly checkMoney: (exchange: Readonly<Exchange>, atEnd: boolean) => void;
  /** A credit that stops the program and is then skipped: its money never arrives. */
  readonly poison: (number: number) => Request;
};

export type OperatorOptions = {
  readonly world: LifeWorld;
  readonly network: LifeNetwork;
  readonly prng: Prng;
  readonly accountOf: (address: string) => number | undefined;
  /** Every market that was ever listed, and those that clients trade. */
  readonly markets: LifeMarket[];
  readonly live: LifeMarket[];
  readonly credentials: ClientKey[];
};

type Holder = { readonly address: string; readonly account: number; readonly token: string };

type Run = OperatorOptions & {
  /** Of every deposit, by its reference: 1e-6 USDT, and whether it was acknowledged. */
  readonly deposits: Map<string, { readonly amount: number; done: boolean }>;
  /** The amount that was certainly paid out. */
  withdrawn: number;
  readonly holders: Holder[];
  asked: number;
  open: number;
  going: boolean;
};

const actEveryMs = 700;
const retryMs = 150;
const marketsMax = 9;
const liveMax = 4;
const million = 1_000_000;
const address = setUpAddress;

export function createOperator(options: OperatorOptions): Operator {
  const run: Run = {
    ...options,
    deposits: new Map(),
    withdrawn: 0,
    holders: [],
    asked: 0,
    open: 0,
    going: false,
  };
  return {
    setUp: () => setUp(run),
    begin: () => {
      run.going = true;
      schedule(run);
    },
    end: () => {
      run.going = false;
    },
    idle: () => run.open === 0,
    checkMoney: (exchange, atEnd) => checkMoney(run, exchange, atEnd),
    poison: (number) => creditOf(run.holders[0]!.address, 1000, `poison ${number}`),
  };
}

const operatorHeaders = {
  authorization: `Bearer ${operatorToken}`,
  'content-type': 'application/json',
};

function toOperator(method: Request['method'], path: string, body: object): Request {
  return { method, path, headers: operatorHeaders, body: JSON.stringify(body), address };
}

function creditOf(wallet: string, amount: number, reference: string): Request {
  const body = { amount: usdtText(amount), reference };
  return toOperator('POST', `/operator/accounts/${wallet}/credit`, body);
}

const usdtText = (amount: number): string =>
  `${Math.floor(amount / million)}.${String(amount % million).padStart(6, '0')}`;

/** Repeats the request until an answer gives its result with certainty. */
async function ask(run: Run, request: Request): Promise<Answer> {
  run.open += 1;
  for (;;) {
    const answer = await askOnce(run, request);
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) {
      run.open -= 1;
      return answer;
    }
    await new Promise<void>((resolve) => {
      run.world.steps.after(retryMs, () => {
        run.world.touched = true;
        resolve();
      });
    });
  }
}

function askOnce(run: Run, request: Request): Promise<Answer | undefined> {
  const { network, world } = run;
  const send = request.path.startsWith('/operator') ? network.sendOperator : network.send;
  return new Promise((resolve) => {
    send(request, (reply) => {
      world.touched = true;
      resolve(reply.kind === 'answered' ? reply.answer : undefined);
    });
  });
}

function expectAnswer({ world }: Run, request: Request, answer: Answer, statuses: number[]): void {
  if (statuses.includes(answer.status)) return;
  const asked = `${request.method} ${request.path} ${request.body}`;
  world.violate(`the operator asked ${asked} and was answered ${answer.status} ${answer.text}`);
}

/** Paid in more than once under one reference: it must count once. */
async function deposit(run: Run, wallet: string, amount: number): Promise<void> {
  run.asked += 1;
  const reference = `deposit ${run.asked}`;
  const kept = { amount, done: false };
  run.deposits.set(reference, kept);
  const request = creditOf(wallet, amount, reference);
  await repeat(run, request);
  kept.done = true;
}

async function fund(run: Run, amount: number): Promise<void> {
  run.asked += 1;
  const reference = `fund ${run.asked}`;
  const kept = { amount, done: false };
  run.deposits.set(reference, kept);
  const body = { amount: usdtText(amount), reference };
  await repeat(run, toOperator('POST', '/operator/insurance-fund/credit', body));
  kept.done = true;
}

async function repeat(run: Run, request: Request): Promise<void> {
  const times = 2 + run.prng.below(2);
  const answers = await Promise.all(Array.from({ length: times }, () => ask(run, request)));
  for (const answer of answers) expectAnswer(run, request, answer, [200]);
  countIn(run.world, 'deposits');
}

const first = [
  { name: 'BTC', tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 }, price: 600_000 },
  { name: 'ETH', tick: { decimals: 2, step: 1 }, lot: { decimals: 2, step: 1 }, price: 300_000 },
];

function drawMarket(run: Run): LifeMarket {
  const { prng, markets } = run;
  const known = first[markets.length];
  const maxLeverage = [10, 20, 50, 100][prng.below(4)]!;
  if (known !== undefined) {
    const { name, tick, lot, price } = known;
    return { symbol: `${name}USDT`, tick, lot, maxLeverage, priceTicks: price };
  }
  const tick = { decimals: prng.below(5), step: [1, 5][prng.below(2)]! };
  const lot = { decimals: prng.below(3), step: 1 };
  const priceTicks = 2000 + prng.below(200_000);
  return { symbol: `LF${markets.length}USDT`, tick, lot, maxLeverage, priceTicks };
}

const gridText = ({ decimals, step }: LifeMarket['tick']): string =>
  (step / 10 ** decimals).toFixed(decimals);

async function list(run: Run): Promise<void> {
  const market = drawMarket(run);
  const sources = sourceNames.slice(0, 1 + run.prng.below(sourceNames.length));
  // Its prices are stated from now on, so that it has a price when it is listed.
  run.markets.push(market);
  const request = toOperator('POST', '/operator/markets', {
    symbol: market.symbol,
    base_asset: market.symbol.slice(0, -4),
    tick_size: gridText(market.tick),
    lot_size: gridText(market.lot),
    max_leverage: market.maxLeverage,
    // At most half of the maintenance rate, which follows from the leverage.
    liquidation_fee_rate: '0.002',
    funding_interval_hours: 1,
    index_sources: sources.map((source, at) => ({ source, weight: 1 + (at % 2) })),
    // Sources that only the run knows.
    expected_index_sources: [],
  });
  // 409: an earlier attempt succeeded.
  expectAnswer(run, request, await ask(run, request), [200, 409]);
  run.live.push(market);
  countIn(run.world, 'listings');
}

async function setUp(run: Run): Promise<void> {
  const { prng, accountOf } = run;
  for (let at = 2 + prng.below(2); at > 0; at -= 1) await list(run);
  const holders = 12 + prng.below(12);
  for (let at = 1; at <= holders; at += 1) {
    const wallet = `0x${at.toString(16).padStart(40, '0')}`;
    // Two of five are soon bankrupt, one of them twice as fast.
    const money = [30, 200, 3000, 10_000, 30_000][at % 5]!;
    await deposit(run, wallet, (money + prng.below(money)) * million);
    const account = accountOf(wallet);
    if (account === undefined) throw new Error(`the account of ${wallet} was not opened`);
    const asking: Asking = async (request, statuses) => {
      const answer = await ask(run, request);
      expectAnswer(run, request, answer, statuses);
      return answer;
    };
    const token = await logIn(asking, wallet);
    await refer(asking, { account, token }, { prng, owners: run.holders });
    run.holders.push({ address: wallet, account, token });
    const key = await ask(run, nativeOf(token, '/api/v1/api-keys', { label: 'life' }));
    const made = JSON.parse(key.text) as { readonly api_key: string; readonly secret_key: string };
    const { api_key: apiKey, secret_key: secret } = made;
    run.credentials.push({ apiKey, secret, account, wallet, token });
    const tier = { rate_tier: ['standard', 'ext-mm', 'house', 'house', 'house'][prng.below(5)] };
    await ask(run, toOperator('PATCH', `/operator/api-keys/${apiKey}`, tier));
  }
  if (prng.below(3) > 0) await fund(run, (1 + prng.below(5000)) * million);
}

function schedule(run: Run): void {
  const { world, prng } = run;
  world.steps.after(1 + prng.below(2 * actEveryMs), () => {
    if (!run.going) return;
    world.touched = true;
    // While the operator waits for an answer, it can do the next thing.
    act(run).catch((error: Error) => world.violate(`the operator: ${error.stack}`));
    schedule(run);
  });
}

async function act(run: Run): Promise<void> {
  const { prng } = run;
  const holder = run.holders[prng.below(run.holders.length)]!;
  const market = run.live[prng.below(run.live.length)]!;
  const kind = prng.below(100);
  if (kind < 45) return deposit(run, holder.address, 1 + prng.below(drawMost(prng) * million));
  if (kind < 60) return withdraw(run, holder);
  if (kind < 65) return fund(run, 1 + prng.below(800 * million));
  if (kind < 67) return changeReferral(run);
  if (kind < 80) return change(run, market, drawTerms(prng));
  if (kind < 88) return halt(run, market);
  if (run.markets.length < marketsMax && run.live.length < liveMax) return list(run);
  if (run.live.length > 2) return deliver(run, market);
}

/** New terms hold at once and for every binding (NAT-4). */
async function changeReferral(run: Run): Promise<void> {
  const { prng } = run;
  const enabled = prng.below(5) > 0;
  const terms = { enabled, discount: `0.0${prng.below(10)}`, share: `0.${prng.below(5)}` };
  const request = toOperator('PATCH', '/operator/referral', terms);
  // 400: under these terms the fee of a referee would not pay a rebate.
  expectAnswer(run, request, await ask(run, request), [200, 400]);
  countIn(run.world, 'referralTerms');
}

/** The amount of a deposit in USDT; most are small. */
const drawMost = (prng: Prng): number => [100, 100, 300, 3000][prng.below(4)]!;

function drawTerms(prng: Prng): object {
  switch (prng.below(5)) {
    case 0:
      return { taker_fee: `0.000${3 + prng.below(6)}`, maker_fee: `0.000${prng.below(3)}` };
    case 1:
      return { oi_cap_usd: String(1_000_000 * (1 + prng.below(20))) };
    case 2:
      return { max_order_size_usd: String(50_000 * (1 + prng.below(20))) };
    case 3:
      return { funding_factor: `0.00${1 + prng.below(9)}`, max_funding_rate: '0.01' };
    default:
      return { self_trade_prevention: ['EXPIRE_MAKER', 'EXPIRE_TAKER'][prng.below(2)]! };
  }
}

async function change(run: Run, { symbol }: LifeMarket, terms: object): Promise<void> {
  const request = toOperator('PATCH', `/operator/markets/${symbol}`, terms);
  // 400 and 409: another change of the market forbids this one meanwhile.
  expectAnswer(run, request, await ask(run, request), [200, 400, 409]);
  countIn(run.world, 'changes');
}

async function halt(run: Run, market: LifeMarket): Promise<void> {
  const status: MarketStatus = run.prng.below(2) === 0 ? 'HALT' : 'CLOSE';
  await change(run, market, { status });
  await new Promise<void>((resolve) => {
    run.world.steps.after(300 + run.prng.below(3000), () => {
      run.world.touched = true;
      resolve();
    });
  });
  if (run.live.includes(market)) {
    await change(run, market, { status: 'TRADING', expected_status: status });
  }
}

/** SYM-2: closed now, settled at a whole minute in the near future. */
async function deliver(run: Run, market: LifeMarket): Promise<void> {
  run.live.splice(run.live.indexOf(market), 1);
  const minute = 60_000;
  const now = run.world.clock.now() + Math.abs(run.world.clockOffset);
  const time = Math.ceil(now / minute) * minute + (1 + run.prng.below(20)) * minute;
  await change(run, market, { status: 'CLOSE', delivery_time: time });
  countIn(run.world, 'deliveries');
}

async function withdraw(run: Run, { token }: Holder): Promise<void> {
  run.asked += 1;
  const amount = 1 + run.prng.below(500 * million);
  const path = '/api/v1/withdraw/request';
  const request = nativeOf(token, path, { amount: usdtText(amount) }, `withdrawal ${run.asked}`);
  const answer = await ask(run, request);
  if (answer.status !== 200) return;
  countIn(run.world, 'withdrawals');
  const { id } = JSON.parse(answer.text) as { readonly id: string };
  const action = run.prng.below(3) > 0 ? 'complete' : 'release';
  const resolving = toOperator('POST', `/operator/withdrawals/${id}`, { action });
  // 404: an earlier attempt has resolved it, but its answer was lost.
  const resolved = await ask(run, resolving);
  expectAnswer(run, resolving, resolved, [200, 404]);
  if (action === 'complete') run.withdrawn += amount;
}

function checkMoney(run: Run, { credits, funds }: Readonly<Exchange>, atEnd: boolean): void {
  const { world, deposits } = run;
  let sum = 0n;
  for (const [reference, { amount, done }] of deposits) {
    const credit = credits.get(reference);
    if (credit !== undefined) sum += BigInt(credit.amount);
    if (done && credit?.amount !== amount) {
      world.violate(`${reference} of ${amount} was acknowledged, the books have ${credit?.amount}`);
    }
  }
  for (const reference of credits.keys()) {
    if (deposits.has(reference) || reference.startsWith('poison')) continue;
    world.violate(`the books know ${reference}, which nobody paid in`);
  }
  let poisoned = 0n;
  for (const [reference, { amount }] of credits) {
    if (reference.startsWith('poison')) poisoned += BigInt(amount);
  }
  if (sum + poisoned !== funds.deposits) {
    world.violate(`${sum + poisoned} was paid in, the books have ${funds.deposits}`);
  }
  if (atEnd && run.open === 0 && BigInt(run.withdrawn) !== funds.withdrawals) {
    world.violate(`${run.withdrawn} was paid out, the books have ${funds.withdrawals}`);
  }
}
