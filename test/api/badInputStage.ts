// The exchange that the campaign of bad input is played against, and a good request for every row
// of the operations table, of which one thing at a time is then made bad.

import type { Operation } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { apiKeysOf } from '../../src/engine/views/account.ts';
import { accountByAddress } from '../../src/engine/views/exchange.ts';
import { openOrdersOf } from '../../src/engine/views/openOrdersOf.ts';
import { openTriggersOf } from '../../src/engine/views/trigger.ts';
import { must } from '../../src/std/assert.ts';
import type { BareExchange } from '../fixtures/bareExchange.ts';
import { type Trader, twoTraders } from '../fixtures/twoTraders.ts';
import { createWallet } from '../identity/wallet.ts';

export type Stage = {
  readonly world: BareExchange;
  readonly alice: Trader;
  /** Alice's key, by id. */
  readonly keyId: string;
  /** A live order, a waiting trigger and a key of bob's. */
  readonly foreign: {
    readonly orderId: string;
    readonly clientOrderId: string;
    readonly keyId: string;
    readonly algoId: string;
    readonly clientAlgoId: string;
  };
  /** A new resting order of alice's. */
  readonly order: () => Promise<{ readonly orderId: string; readonly clientOrderId: string }>;
  /** A new trigger of alice's, of the algo route. */
  readonly trigger: () => Promise<{ readonly algoId: string; readonly clientAlgoId: string }>;
  /** Sends the price again when it has become old by the clock (PRC-2). */
  readonly price: () => Promise<void>;
  /** A number that was not given before. */
  readonly serial: () => number;
  /** Logs alice in again once half of her token's day is over. */
  readonly renew: () => Promise<void>;
};

/** A new key needs a login of the last half hour (AUTH-12). */
const renewedMs = 20 * 60_000;
/** Prices age: beyond five seconds they move nothing, beyond thirty they open nothing. */
const pricedMs = 3000;

/** The second that the stage sets. */
const bobsCode = 'CODE2';

const resting = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: '49000' } as const;
const legs = {
  take_profit: { trigger_price: '60000', price: '60010' },
  stop_loss: { trigger_price: '45000' },
} as const;
const waiting = {
  algoType: 'CONDITIONAL',
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'STOP_MARKET',
  quantity: '0.01',
  triggerPrice: '60000',
} as const;

/** `world` is new. */
export async function openStage(world: BareExchange): Promise<Stage> {
  const traders = await twoTraders(world);
  const { bob } = traders;
  let { alice } = traders;
  let renewedAt = world.clock.now();
  const renew = async (): Promise<void> => {
    if (world.clock.now() - renewedAt < renewedMs) return;
    renewedAt = world.clock.now();
    const { token, client } = await world.login(1);
    alice = { ...alice, token, native: client.native };
  };
  const { operator } = world.client({ operatorToken: world.operatorToken });
  await operator.changeApiKey({ api_key: alice.apiKey, rate_tier: 'house' });
  const grid = { tick_size: '0.1', lot_size: '0.001', max_leverage: 10 };
  await operator.listMarket({ symbol: 'ZZZUSDT', base_asset: 'ZZZ', ...grid });
  let last = 0;
  const serial = (): number => {
    last += 1;
    return last;
  };
  let pricedAt = world.clock.now();
  const price = async (): Promise<void> => {
    if (world.clock.now() - pricedAt < pricedMs) return;
    pricedAt = world.clock.now();
    await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
  };
  const place = async ({ native }: Trader) => {
    const clientOrderId = `order-${serial()}`;
    const order = { ...resting, quantity: '0.01', client_order_id: clientOrderId };
    const { order_id: orderId } = await native.placeNativeOrder(order);
    return { orderId, clientOrderId };
  };
  const [aliceKey] = await alice.native.listApiKeys();
  const [bobKey] = await bob.native.listApiKeys();
  const keyId = must(aliceKey, 'alice has a key').id;
  const stop = async ({ fapi }: Trader) => {
    const clientAlgoId = `trigger-${serial()}`;
    const { algoId } = await fapi.placeAlgoOrder({ ...waiting, clientAlgoId });
    return { algoId, clientAlgoId };
  };
  // Both are set once: every later request for them is refused.
  for (const { native } of [alice, bob]) await native.setReferralCode({ code: `CODE${serial()}` });
  await alice.native.bindReferral({ code: bobsCode });
  await trade(world, bob);
  const bobs = { ...(await place(bob)), ...(await stop(bob)) };
  const foreign = { ...bobs, keyId: must(bobKey, 'bob has a key').id };
  const order = () => place(alice);
  const trigger = () => stop(alice);
  return {
    world,
    get alice() {
      return alice;
    },
    keyId,
    foreign,
    serial,
    order,
    trigger,
    price,
    renew,
  };
}

/** Somebody buys from bob, so that there is market data. */
async function trade(world: BareExchange, bob: Trader): Promise<void> {
  const { address, client } = await world.login(3);
  const { operator } = world.client({ operatorToken: world.operatorToken });
  await operator.creditAccount({ address, amount: '10000', reference: 'start of 3' });
  const order = { ...resting, price: '50000', quantity: '0.01' };
  await bob.native.placeNativeOrder({ ...order, side: 'SELL' });
  await client.native.placeNativeOrder(order);
}

/** Takes alice's orders and spare keys away, so that no limit is met by accident. */
export async function tidyStage(stage: Stage): Promise<void> {
  const { keyId, world, price, renew } = stage;
  world.clock.advance(60_000);
  await price();
  await renew();
  const { alice } = stage;
  const account = must(accountByAddress(world.replica.exchange, alice.address), 'alice is there');
  if (openOrdersOf(account).length > 0) await alice.fapi.cancelAllOpenOrders({ symbol: 'BTCUSDT' });
  if (openTriggersOf(account).length > 0)
    await alice.fapi.cancelAlgoOpenOrders({ symbol: 'BTCUSDT' });
  if (apiKeysOf(account).length === 1) return;
  for (const { id } of await alice.native.listApiKeys()) {
    if (id !== keyId) await alice.native.deleteApiKey({ id });
  }
}

export type Parameters = Readonly<Record<string, unknown>>;
type MakeRequest = (stage: Stage) => Parameters | Promise<Parameters>;

const symbol = { symbol: 'BTCUSDT' };

const fapiLimit: MakeRequest = ({ serial }) => ({
  ...resting,
  quantity: '0.01',
  positionSide: 'BOTH',
  timeInForce: 'GTC',
  stopPrice: '0',
  newClientOrderId: `new-${serial()}`,
  newOrderRespType: 'RESULT',
  reduceOnly: false,
  closePosition: false,
  workingType: 'MARK_PRICE',
  priceProtect: true,
  priceMatch: 'NONE',
  selfTradePreventionMode: 'EXPIRE_TAKER',
});
const fapiMarket: MakeRequest = () => ({
  ...symbol,
  side: 'BUY',
  type: 'MARKET',
  quoteOrderQty: '100',
});

const fapiStop: MakeRequest = ({ serial }) => ({
  ...symbol,
  side: 'SELL',
  type: 'STOP_LIMIT',
  quantity: '0.01',
  price: '39000',
  stopPrice: '40000',
  timeInForce: 'IOC',
  newClientOrderId: `stop-${serial()}`,
  clientAlgoId: `own-${serial()}`,
});

const algoEchoes = {
  positionSide: 'BOTH',
  reduceOnly: false,
  closePosition: false,
  newOrderRespType: 'ACK',
  workingType: 'MARK_PRICE',
  priceProtect: true,
  priceMatch: 'NONE',
  selfTradePreventionMode: 'EXPIRE_BOTH',
};
const algoStop: MakeRequest = ({ world, serial }) => ({
  ...waiting,
  ...algoEchoes,
  type: 'STOP',
  price: '61000',
  timeInForce: 'GTD',
  goodTillDate: world.clock.now() + 3_600_000,
  clientAlgoId: `algo-${serial()}`,
});
const algoTrailing: MakeRequest = () => ({
  algoType: 'CONDITIONAL',
  ...symbol,
  side: 'SELL',
  type: 'TRAILING_STOP_MARKET',
  quantity: '0.01',
  callbackRate: '1',
  activatePrice: '60000',
});

const byAlgoId: MakeRequest = async ({ trigger }) => ({ algoId: (await trigger()).algoId });
const byClientAlgoId: MakeRequest = async ({ trigger }) => ({
  clientAlgoId: (await trigger()).clientAlgoId,
});
const window = { startTime: 1_760_000_000_000, endTime: 1_760_500_000_000 };
const pair = { pair: 'BTCUSDT' };
const klines = { interval: '1h', ...window, limit: 10 };
const openAlgo: MakeRequest = async ({ trigger }) => ({
  ...symbol,
  ...window,
  algoType: 'CONDITIONAL',
  algoId: (await trigger()).algoId,
});

const nativeWindow = { start_time: 1_760_000_000_000, end_time: 1_760_500_000_000, limit: 10 };
const nativeList = { ...nativeWindow, from: '01900000-0000-7000-8000-000000200000' };
const withdrawal = async ({ alice }: Stage): Promise<string> =>
  (await alice.native.requestWithdrawal({ amount: '0.000001' })).id;

const byOrderId: MakeRequest = async ({ order }) => ({
  ...symbol,
  orderId: (await order()).orderId,
});
const byClientId: MakeRequest = async ({ order }) => ({
  ...symbol,
  origClientOrderId: (await order()).clientOrderId,
});
const amendment = { side: 'BUY', quantity: '0.02', price: '48000', priceMatch: 'NONE' };

const nativeAmendment = { quantity: '0.02', price: '48000' };

const marketTerms = {
  max_leverage: 10,
  maintenance_margin_rate: '0.05',
  liquidation_fee_rate: '0.005',
  min_order_size_usd: '5',
  max_order_size_usd: '1000',
  oi_cap_usd: '100000',
  funding_factor: '0.01',
  max_funding_rate: '0.01',
  min_funding_rate: '-0.01',
  funding_interval_hours: 8,
  max_market_slippage: '0.05',
  mark_clamp: '0.0125',
  mark_band: '0.02',
  maker_fee: '0.0002',
  taker_fee: '0.0005',
  self_trade_prevention: 'EXPIRE_MAKER',
  index_sources: [{ source: 'manual', weight: 1 }],
  underlying_type: 'COIN',
  status: 'TRADING',
  delivery_time: 0,
  brackets: [
    { up_to_usd: '50000', rate: '0.05' },
    { up_to_usd: '100000', rate: '0.1' },
  ],
  price_band: '0.05',
  account_share_max: '0.25',
  fund_fee_share: '0.2',
  fund_target_usd: '10000',
  gap_rate: '0.05',
};

const login: MakeRequest = async ({ world, serial }) => {
  const { address, sign } = createWallet(1000 + serial());
  const { nonce, timestamp } = await world.client().native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  return { address, nonce, timestamp, signature };
};

/** Where a row has alternatives, one request for each; together they use every parameter. */
const made: Readonly<Record<string, readonly MakeRequest[]>> = {
  getOrderBook: [() => ({ ...symbol, limit: 100 })],
  getTrades: [() => ({ ...symbol, limit: 10 })],
  getHistoricalTrades: [() => ({ ...symbol, fromId: 1, limit: 10 })],
  getAggregateTrades: [() => ({ ...symbol, ...window, fromId: 1, limit: 10 })],
  getKlines: [() => ({ ...symbol, ...klines })],
  getContinuousKlines: [() => ({ ...pair, contractType: 'PERPETUAL', ...klines })],
  getMarkPriceKlines: [() => ({ ...symbol, ...klines })],
  getIndexPriceKlines: [() => ({ ...pair, ...klines })],
  getPremiumIndexKlines: [() => ({ ...symbol, ...klines })],
  getOpenInterestHistory: [() => ({ ...symbol, period: '15m', limit: 10 })],
  getTakerVolumes: [() => ({ ...symbol, period: '1d', ...window, limit: 10 })],
  getTopLongShortPositionRatio: [() => symbol],
  getTopLongShortAccountRatio: [() => ({ ...symbol, period: '5m' })],
  getGlobalLongShortAccountRatio: [() => ({ ...symbol, period: '12h' })],
  getTotalOpenInterest: [() => symbol],
  getConstituents: [() => symbol],
  getFundingRate: [() => ({ ...symbol, ...window, limit: 10 })],
  placeOrder: [fapiLimit, fapiMarket, fapiStop],
  testOrder: [fapiLimit, fapiMarket, fapiStop],
  getOrder: [byOrderId, byClientId],
  getOpenOrder: [byOrderId, byClientId],
  cancelOrder: [byOrderId, byClientId],
  modifyOrder: [
    async (stage) => ({ ...(await byOrderId(stage)), ...amendment, reduceOnly: false }),
    async (stage) => ({ ...(await byClientId(stage)), ...amendment }),
  ],
  placeBatchOrders: [
    async (stage) => ({ batchOrders: [await fapiLimit(stage), await fapiMarket(stage)] }),
  ],
  modifyBatchOrders: [
    async (stage) => ({ batchOrders: [{ ...(await byOrderId(stage)), ...amendment }] }),
  ],
  cancelBatchOrders: [
    async ({ order }) => ({ ...symbol, orderIdList: [(await order()).orderId] }),
    async ({ order }) => ({ ...symbol, origClientOrderIdList: [(await order()).clientOrderId] }),
  ],
  cancelAllOpenOrders: [() => symbol],
  setCountdownCancelAll: [() => ({ ...symbol, countdownTime: 0 })],
  placeAlgoOrder: [algoStop, algoTrailing],
  getAlgoOrder: [byAlgoId, byClientAlgoId],
  cancelAlgoOrder: [byAlgoId, byClientAlgoId],
  getOpenAlgoOrders: [openAlgo],
  getAlgoOpenOrders: [openAlgo],
  cancelAlgoOpenOrders: [() => symbol],
  getAllAlgoOrders: [
    async ({ trigger }) => ({
      ...symbol,
      ...window,
      algoId: (await trigger()).algoId,
      limit: 10,
    }),
  ],
  getAllOrders: [async (stage) => ({ ...(await byOrderId(stage)), ...window, limit: 10 })],
  getOrderAmendments: [
    async (stage) => ({ ...(await byOrderId(stage)), ...window, limit: 10 }),
    byClientId,
  ],
  getUserTrades: [
    async (stage) => ({ ...(await byOrderId(stage)), ...window, limit: 10 }),
    () => ({ ...symbol, fromId: 1 }),
  ],
  getSlippage: [() => ({ ...symbol, ...window, limit: 10 })],
  getIncome: [() => ({ ...symbol, ...window, incomeType: 'COMMISSION', page: 1, limit: 10 })],
  getFundingFeeHistory: [() => ({ ...symbol, ...window, limit: 10 })],
  getForceOrders: [() => ({ ...symbol, ...window, autoCloseType: 'ADL', limit: 10 })],
  movePositionMargin: [() => ({ ...symbol, amount: '1', type: '1' })],
  getPositionMarginHistory: [() => symbol],
  setMultiAssetsMargin: [() => ({ multiAssetsMargin: false })],
  setLeverage: [() => ({ ...symbol, leverage: 20 })],
  getCommissionRate: [() => symbol],
  setMarginType: [() => ({ ...symbol, marginType: 'CROSSED' })],
  setPositionMode: [() => ({ dualSidePosition: 'false' })],

  getLoginNonce: [() => ({ address: createWallet(1).address })],
  login: [login],
  // A session of alice's that no request of the campaign uses.
  endSession: [
    async ({ alice, world }) => {
      const spare = async () => (await alice.native.listSessions()).find(({ current }) => !current);
      if ((await spare()) === undefined) {
        world.clock.advance(16_000);
        await world.login(1);
      }
      return { id: must(await spare(), 'alice has logged in twice').id };
    },
  ],
  createApiKey: [() => ({ label: 'a name', ip_whitelist: '127.0.0.1' })],
  updateApiKey: [
    ({ keyId: id }) => ({ id, label: 'another', ip_whitelist: '127.0.0.1', status: 'active' }),
  ],
  deleteApiKey: [
    async ({ alice }) => {
      const { id } = await alice.native.createApiKey();
      return { id };
    },
  ],
  placeNativeOrder: [
    ({ serial }) => ({
      ...resting,
      quantity: '0.01',
      time_in_force: 'GTC',
      reduce_only: false,
      client_order_id: `native-${serial()}`,
      self_trade_prevention_mode: 'EXPIRE_TAKER',
      ...legs,
    }),
    () => ({ ...symbol, side: 'BUY', type: 'MARKET', quantity: '0.01', max_slippage: '0.5' }),
  ],
  previewNativeOrder: [
    ({ serial }) => ({
      ...resting,
      quantity: '0.01',
      time_in_force: 'GTC',
      reduce_only: false,
      self_trade_prevention_mode: 'NONE',
      client_order_id: `asked-${serial()}`,
      ...legs,
    }),
    () => ({ ...symbol, side: 'BUY', type: 'MARKET', quantity: '0.01', max_slippage: '0.5' }),
  ],
  listNativeOrders: [
    () => ({ ...symbol, ...nativeList, status: 'NEW' }),
    () => ({ client_order_id: 'order-1' }),
  ],
  modifyNativeOrder: [
    async ({ order }) => ({ id: (await order()).orderId, ...nativeAmendment, side: 'BUY' }),
    async ({ order }) => ({ id: (await order()).clientOrderId, ...nativeAmendment }),
  ],
  cancelAllNativeOrders: [() => symbol],
  placeNativeBatch: [() => ({ orders: [{ ...resting, quantity: '0.01' }] })],
  modifyNativeBatch: [
    async ({ order }) => ({ orders: [{ id: (await order()).orderId, ...nativeAmendment }] }),
  ],
  cancelNativeBatch: [async ({ order }) => ({ ids: [(await order()).orderId] })],
  setNativeCountdown: [() => ({ ...symbol, countdown_time: 0 })],
  placeNativeTrigger: [
    ({ world, serial }) => ({
      ...symbol,
      side: 'BUY',
      type: 'STOP',
      quantity: '0.01',
      trigger_price: '60000',
      price: '61000',
      time_in_force: 'GTD',
      good_till_date: world.clock.now() + 3_600_000,
      reduce_only: false,
      close_position: false,
      self_trade_prevention_mode: 'EXPIRE_BOTH',
      client_algo_id: `native-${serial()}`,
      take_profit: { trigger_price: '65000' },
      stop_loss: { trigger_price: '55000' },
    }),
    () => ({
      ...symbol,
      side: 'SELL',
      type: 'TRAILING_STOP_MARKET',
      quantity: '0.01',
      callback_rate: '1',
      activate_price: '60000',
    }),
  ],
  listNativeTriggers: [() => ({ ...symbol, ...nativeList, status: 'CANCELED' })],
  getNativeTrigger: [async ({ trigger }) => ({ id: (await trigger()).algoId })],
  modifyNativeTrigger: [
    async ({ trigger }) => ({
      id: (await trigger()).algoId,
      trigger_price: '61000',
      quantity: '0.02',
    }),
    async ({ alice }) => {
      const trail = { ...symbol, side: 'SELL', type: 'TRAILING_STOP_MARKET' } as const;
      const terms = { quantity: '0.01', callback_rate: '1', activate_price: '60000' };
      const { algo_id: id } = await alice.native.placeNativeTrigger({ ...trail, ...terms });
      return { id, callback_rate: '2' };
    },
    async ({ alice }) => {
      const stop = { ...symbol, side: 'BUY', type: 'STOP', quantity: '0.01' } as const;
      const prices = { trigger_price: '60000', price: '60000' };
      const { algo_id: id } = await alice.native.placeNativeTrigger({ ...stop, ...prices });
      return { id, price: '60500' };
    },
  ],
  cancelNativeTrigger: [async ({ trigger }) => ({ id: (await trigger()).clientAlgoId })],
  cancelAllNativeTriggers: [() => symbol],
  listLedger: [() => ({ ...symbol, ...nativeList })],
  listInsuranceLedger: [() => ({ ...symbol, ...nativeList })],
  listDeposits: [() => nativeList],
  listFundingPayments: [() => ({ ...symbol, ...nativeList })],
  listFills: [
    async ({ order }) => ({
      ...symbol,
      ...nativeWindow,
      order_id: (await order()).orderId,
      from: 1,
    }),
  ],
  getNativeOrder: [async ({ order }) => ({ id: (await order()).orderId })],
  cancelNativeOrder: [async ({ order }) => ({ id: (await order()).orderId })],
  setNativeLeverage: [() => ({ ...symbol, leverage: 20 })],
  setMarginMode: [() => ({ mode: 'cross' })],
  setProtection: [() => ({ ...symbol, take_profit: null, stop_loss: null })],
  transferCollateral: [() => ({ ...symbol, delta: '-0.000001' })],
  getReferral: [() => ({ ...nativeWindow, limit: 10 })],
  setReferralCode: [() => ({ code: 'OTHER' })],
  bindReferral: [() => ({ code: bobsCode })],
  requestWithdrawal: [() => ({ amount: '0.000001' })],
  listWithdrawals: [() => nativeList],
  getTicker: [() => symbol],
  getDepth: [() => ({ ...symbol, limit: 100 })],
  getCandles: [
    // The window of the others may end before anything was traded.
    ({ world }) => ({ ...symbol, ...nativeWindow, period: '5m', end_time: world.clock.now() }),
  ],
  getOpenInterest: [() => symbol],
  getNativeFundingRate: [() => symbol],
  listDeleveragings: [() => ({ ...symbol, ...nativeList })],

  getLiquidationHealth: [() => ({ chain: 'fuji' })],
  getPageFile: [() => ({ name: 'app-TEST.js' })],
  getDocumentPage: [() => ({ name: 'errors' })],
  getRulePage: [() => ({ name: 'orders' })],
  getDocumentFile: [() => ({ name: 'reference-TEST.js' })],

  creditAccount: [
    ({ alice, serial }) => ({
      address: alice.address,
      amount: '0.000001',
      reference: `reference ${serial()}`,
    }),
  ],
  changeAccount: [({ alice }) => ({ address: alice.address, house: false, fee_tier: 0 })],
  changeApiKey: [({ alice }) => ({ api_key: alice.apiKey, rate_tier: 'house' })],
  listMarket: [
    ({ serial }) => {
      const base_asset = `M${serial()}`;
      const grid = { base_asset, tick_size: '0.1', lot_size: '0.001' };
      const sources = { expected_index_sources: [] };
      return { symbol: `${base_asset}USDT`, ...grid, ...marketTerms, ...sources };
    },
  ],
  changeMarket: [
    () => ({
      symbol: 'ZZZUSDT',
      base_asset: 'ZZZ',
      tick_size: '0.1',
      lot_size: '0.001',
      ...marketTerms,
      expected_index_sources: marketTerms.index_sources,
      expected_mark_clamp: marketTerms.mark_clamp,
      expected_status: marketTerms.status,
    }),
  ],
  correctCredit: [
    async ({ world, alice, serial }) => {
      const { operator } = world.client({ operatorToken: world.operatorToken });
      const credit = `wrong ${serial()}`;
      await operator.creditAccount({ address: alice.address, amount: '2', reference: credit });
      return { address: alice.address, credit, amount: '1', reference: `right of ${credit}` };
    },
  ],
  setIndexPrice: [() => ({ symbol: 'ZZZUSDT', price: '10', expected_index: '10' })],
  getBracketTable: [() => ({ ...symbol, fund: '1000000', gap: '0.05' })],
  settleFunding: [() => symbol],
  creditInsurance: [({ serial }) => ({ amount: '1', reference: `fund ${serial()}` })],
  listPendingWithdrawals: [() => ({ limit: 10 })],
  resolveWithdrawal: [
    async (stage) => ({ id: await withdrawal(stage), action: 'complete' }),
    async (stage) => ({ id: await withdrawal(stage), action: 'release' }),
  ],
  getOperatorVault: [() => ({})],
  bindVault: [
    () => ({
      chain_id: 43113,
      address: `0x${'ab'.repeat(20)}`,
      token: `0x${'cd'.repeat(20)}`,
      token_decimals: 6,
      code_hash: `0x${'12'.repeat(32)}`,
      deploy_block: 7,
    }),
  ],
  setWithdrawalTerms: [() => ({ min: '5', fee: '0.2' })],
  getVault: [({ alice }) => ({ address: alice.address })],
  getProof: [({ alice }) => ({ address: alice.address })],
  setReferralTerms: [() => ({ enabled: true, discount: '0.04', share: '0.1' })],
  setFeeTiers: [
    () => ({
      tiers: [
        { min_volume: '0', maker_discount: '0', taker_discount: '0' },
        { min_volume: 5e6, maker_discount: '0.1', taker_discount: '0.05' },
      ],
    }),
  ],
};

/** A row takes at most an optional symbol unless it is made above. */
export function goodRequests({ name, parameters }: Operation): readonly MakeRequest[] {
  const names = Object.keys(parameters.properties);
  if (names.length === 0) return [() => ({})];
  return made[name] ?? [() => symbol];
}

/** Rows whose valid requests omit a parameter; there must be none. */
export async function unusedParameters(stage: Stage): Promise<string[]> {
  const unused: string[] = [];
  for (const row of operations) {
    const used = new Set<string>();
    for (const make of goodRequests(row)) {
      for (const name of Object.keys(await make(stage))) used.add(name);
    }
    for (const name of Object.keys(row.parameters.properties)) {
      if (!used.has(name)) unused.push(`${row.name} ${name}`);
    }
  }
  return unused;
}
