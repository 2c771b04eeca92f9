// How each stock client does each operation of FAPI: with its own words where it has any, by the
// bare path where it has none. A row that is missing here does not compile.

import type { USDMClient } from 'binance';
import type { binanceusdm } from 'ccxt';
import type { fapiOperations } from '../../src/api/fapi/fapiOperations.ts';

export type Stage = {
  readonly ccxt: binanceusdm;
  readonly binance: USDMClient;
  /** So far below the market that a BUY rests. */
  readonly low: number;
};

/** A call, or why the client has none. */
export type StockCall = ((stage: Stage) => Promise<unknown>) | string;

export type OperationCalls = Readonly<
  Record<keyof typeof fapiOperations, { readonly ccxt: StockCall; readonly binance: StockCall }>
>;

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';
const amount = 0.01;

async function restCcxt({ ccxt, low }: Stage): Promise<string> {
  return String((await ccxt.createOrder(unified, 'limit', 'buy', amount, low)).id);
}

const bid = (price: number) =>
  ({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: amount,
    price,
  }) as const;

/** A BUY stop so far above the market that it waits. */
async function stopCcxt({ ccxt, low }: Stage): Promise<string> {
  const parameters = { triggerPrice: 2 * low };
  const { id } = await ccxt.createOrder(unified, 'market', 'buy', amount, undefined, parameters);
  return String(id);
}

const stop = (low: number) =>
  ({
    algoType: 'CONDITIONAL',
    symbol,
    side: 'BUY',
    type: 'STOP_MARKET',
    quantity: amount,
    triggerPrice: 2 * low,
  }) as const;

async function stopBinance({ binance, low }: Stage): Promise<{ readonly algoId: never }> {
  const { algoId } = await binance.submitNewAlgoOrder(stop(low));
  return { algoId: algoId as never };
}

async function restBinance({ binance, low }: Stage): Promise<string> {
  return String((await binance.submitNewOrder(bid(low))).orderId);
}

// The package types ids as numbers; here, as the interface says, they are texts.
const idOf = (orderId: string) => ({ symbol, orderId: orderId as never });

const perpetual = { pair: symbol, contractType: 'PERPETUAL', interval: '5m' } as const;
const hourly = { symbol, period: '1h', limit: 5 } as const;

const market = {
  ping: {
    ccxt: ({ ccxt }) => ccxt.fapiPublicGetPing(),
    binance: ({ binance }) => binance.testConnectivity(),
  },
  getTime: {
    ccxt: ({ ccxt }) => ccxt.fetchTime(),
    binance: async ({ binance }) => ({ serverTime: await binance.getServerTime() }),
  },
  getExchangeInfo: {
    ccxt: ({ ccxt }) => ccxt.loadMarkets(true),
    binance: ({ binance }) => binance.getExchangeInfo(),
  },
  getOrderBook: {
    ccxt: ({ ccxt }) => ccxt.fetchOrderBook(unified, 100),
    binance: ({ binance }) => binance.getOrderBook({ symbol, limit: 5 }),
  },
  getTrades: {
    ccxt: ({ ccxt }) => ccxt.fapiPublicGetTrades({ symbol }),
    binance: ({ binance }) => binance.getRecentTrades({ symbol }),
  },
  getHistoricalTrades: {
    ccxt: ({ ccxt }) => ccxt.fapiPublicGetHistoricalTrades({ symbol, limit: 10 }),
    binance: ({ binance }) => binance.getHistoricalTrades({ symbol, fromId: 1 }),
  },
  getAggregateTrades: {
    ccxt: ({ ccxt }) => ccxt.fetchTrades(unified),
    binance: ({ binance }) => binance.getAggregateTrades({ symbol }),
  },
  getKlines: {
    ccxt: ({ ccxt }) => ccxt.fetchOHLCV(unified, '1m'),
    binance: ({ binance }) => binance.getKlines({ symbol, interval: '1M' }),
  },
  getContinuousKlines: {
    ccxt: ({ ccxt }) => ccxt.fapiPublicGetContinuousKlines(perpetual),
    binance: ({ binance }) => binance.getContinuousContractKlines(perpetual),
  },
  getMarkPriceKlines: {
    ccxt: ({ ccxt }) => ccxt.fetchMarkOHLCV(unified, '3m'),
    binance: ({ binance }) => binance.getMarkPriceKlines({ symbol, interval: '4h' }),
  },
  getIndexPriceKlines: {
    ccxt: ({ ccxt }) => ccxt.fetchIndexOHLCV(unified, '1h'),
    binance: ({ binance }) => binance.getIndexPriceKlines({ pair: symbol, interval: '1w' }),
  },
  getPremiumIndexKlines: {
    ccxt: ({ ccxt }) => ccxt.fetchPremiumIndexOHLCV(unified, '1d'),
    binance: ({ binance }) => binance.getPremiumIndexKlines({ symbol, interval: '15m' }),
  },
  getDayTicker: {
    ccxt: ({ ccxt }) => ccxt.fetchTicker(unified),
    binance: ({ binance }) => binance.get24hrChangeStatistics(),
  },
  getPriceTickerV1: {
    ccxt: ({ ccxt }) => ccxt.fapiPublicGetTickerPrice({ symbol }),
    binance: ({ binance }) => binance.getSymbolPriceTicker(),
  },
  getPriceTickerV2: {
    ccxt: ({ ccxt }) => ccxt.fetchLastPrices(),
    binance: ({ binance }) => binance.getSymbolPriceTickerV2({ symbol }),
  },
  getBookTicker: {
    ccxt: ({ ccxt }) => ccxt.fetchBidsAsks(),
    binance: ({ binance }) => binance.getSymbolOrderBookTicker({ symbol }),
  },
  getPremiumIndex: {
    ccxt: ({ ccxt }) => ccxt.fetchFundingRates(),
    binance: ({ binance }) => binance.getMarkPrice({ symbol }),
  },
  getTotalOpenInterest: {
    ccxt: ({ ccxt }) => ccxt.fetchOpenInterest(unified),
    binance: ({ binance }) => binance.getOpenInterest({ symbol }),
  },
  getOpenInterestHistory: {
    ccxt: ({ ccxt }) => ccxt.fetchOpenInterestHistory(unified, '5m'),
    binance: ({ binance }) => binance.getOpenInterestStatistics(hourly),
  },
  getTakerVolumes: {
    ccxt: ({ ccxt }) => ccxt.fapiDataGetTakerlongshortRatio(hourly),
    binance: ({ binance }) => binance.getTakerBuySellVolume(hourly),
  },
  getTopLongShortPositionRatio: {
    ccxt: ({ ccxt }) => ccxt.fapiDataGetTopLongShortPositionRatio(hourly),
    binance: ({ binance }) => binance.getTopTradersLongShortPositionRatio(hourly),
  },
  getTopLongShortAccountRatio: {
    ccxt: ({ ccxt }) => ccxt.fapiDataGetTopLongShortAccountRatio(hourly),
    binance: ({ binance }) => binance.getTopTradersLongShortAccountRatio(hourly),
  },
  getGlobalLongShortAccountRatio: {
    ccxt: ({ ccxt }) => ccxt.fetchLongShortRatioHistory(unified, '1h'),
    binance: ({ binance }) => binance.getGlobalLongShortAccountRatio(hourly),
  },
  getFundingInfo: {
    ccxt: ({ ccxt }) => ccxt.fetchFundingIntervals(),
    binance: ({ binance }) => binance.getFundingRates(),
  },
  getFundingRate: {
    ccxt: ({ ccxt }) => ccxt.fetchFundingRateHistory(unified),
    binance: ({ binance }) => binance.getFundingRateHistory({ symbol }),
  },
  getConstituents: {
    ccxt: ({ ccxt }) => ccxt.fapiPublicGetConstituents({ symbol }),
    binance: ({ binance }) => binance.getIndexPriceConstituents({ symbol }),
  },
} satisfies Partial<OperationCalls>;

const orders = {
  placeOrder: { ccxt: restCcxt, binance: ({ binance, low }) => binance.submitNewOrder(bid(low)) },
  getOrder: {
    ccxt: async (stage) => stage.ccxt.fetchOrder(await restCcxt(stage), unified),
    binance: async (stage) => stage.binance.getOrder(idOf(await restBinance(stage))),
  },
  modifyOrder: {
    ccxt: async (stage) => {
      const id = await restCcxt(stage);
      return stage.ccxt.editOrder(id, unified, 'limit', 'buy', 2 * amount, stage.low - 1);
    },
    binance: async (stage) => {
      const order = idOf(await restBinance(stage));
      const changed = { side: 'BUY', quantity: 2 * amount, price: stage.low - 1 } as const;
      return stage.binance.modifyOrder({ ...order, ...changed });
    },
  },
  cancelOrder: {
    ccxt: async (stage) => stage.ccxt.cancelOrder(await restCcxt(stage), unified),
    binance: async (stage) => stage.binance.cancelOrder(idOf(await restBinance(stage))),
  },
  testOrder: {
    // Its option for a trial is for spot markets only.
    ccxt: ({ ccxt, low }) =>
      ccxt.fapiPrivatePostOrderTest({ ...bid(low), quantity: String(amount), price: String(low) }),
    binance: ({ binance, low }) => binance.testOrder(bid(low)),
  },
  getOpenOrders: {
    ccxt: ({ ccxt }) => ccxt.fetchOpenOrders(),
    binance: ({ binance }) => binance.getAllOpenOrders({ symbol }),
  },
  getOpenOrder: {
    ccxt: async (stage) => stage.ccxt.fetchOpenOrder(await restCcxt(stage), unified),
    binance: async (stage) => stage.binance.getCurrentOpenOrder(idOf(await restBinance(stage))),
  },
  cancelAllOpenOrders: {
    ccxt: ({ ccxt }) => ccxt.cancelAllOrders(unified),
    binance: ({ binance }) => binance.cancelAllOpenOrders({ symbol }),
  },
  setCountdownCancelAll: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivatePostCountdownCancelAll({ symbol, countdownTime: 60_000 }),
    binance: ({ binance }) => binance.setCancelOrdersOnTimeout({ symbol, countdownTime: 0 }),
  },
} satisfies Partial<OperationCalls>;

const batches = {
  placeBatchOrders: {
    ccxt: ({ ccxt, low }) =>
      ccxt.createOrders(
        [1, 2].map((away) => ({
          symbol: unified,
          type: 'limit',
          side: 'buy',
          amount,
          price: low - away,
        })) as never,
      ),
    binance: ({ binance, low }) =>
      binance.submitMultipleOrders(
        [1, 2].map((away) => ({
          ...bid(low),
          quantity: String(amount),
          price: String(low - away),
        })) as never,
      ),
  },
  modifyBatchOrders: {
    ccxt: async (stage) => {
      const id = await restCcxt(stage);
      const price = stage.low - 5;
      const change = { id, symbol: unified, type: 'limit', side: 'buy', amount, price };
      return stage.ccxt.editOrders([change] as never);
    },
    binance: async (stage) => {
      const order = idOf(await restBinance(stage));
      const change = { ...order, side: 'BUY', quantity: '0.02', price: String(stage.low - 5) };
      return stage.binance.modifyMultipleOrders([change as never]);
    },
  },
  cancelBatchOrders: {
    ccxt: async (stage) => {
      const ids = [await restCcxt(stage), await restCcxt(stage)];
      return stage.ccxt.cancelOrders(ids, unified);
    },
    binance: async (stage) => {
      const orderIdList = [await restBinance(stage), await restBinance(stage)] as never;
      return stage.binance.cancelMultipleOrders({ symbol, orderIdList });
    },
  },
} satisfies Partial<OperationCalls>;

const triggers = {
  placeAlgoOrder: {
    ccxt: stopCcxt,
    binance: ({ binance, low }) => binance.submitNewAlgoOrder(stop(low)),
  },
  getAlgoOrder: {
    ccxt: async (stage) => stage.ccxt.fetchOrder(await stopCcxt(stage), unified, { trigger: true }),
    binance: async (stage) => stage.binance.getAlgoOrder(await stopBinance(stage)),
  },
  cancelAlgoOrder: {
    ccxt: async (stage) =>
      stage.ccxt.cancelOrder(await stopCcxt(stage), unified, { trigger: true }),
    binance: async (stage) => stage.binance.cancelAlgoOrder(await stopBinance(stage)),
  },
  getOpenAlgoOrders: {
    ccxt: ({ ccxt }) => ccxt.fetchOpenOrders(unified, undefined, undefined, { trigger: true }),
    binance: ({ binance }) => binance.getOpenAlgoOrders({ symbol }),
  },
  // A path that neither has words for: a third client asks there.
  getAlgoOpenOrders: {
    ccxt: ({ ccxt }) => ccxt.request('algoOpenOrders', 'fapiPrivate', 'GET', { symbol }),
    binance: ({ binance }) => binance.getPrivate('fapi/v1/algoOpenOrders', { symbol }),
  },
  cancelAlgoOpenOrders: {
    ccxt: ({ ccxt }) => ccxt.cancelAllOrders(unified, { trigger: true }),
    binance: ({ binance }) => binance.cancelAllAlgoOpenOrders({ symbol }),
  },
  getAllAlgoOrders: {
    ccxt: ({ ccxt }) => ccxt.fetchOrders(unified, undefined, undefined, { trigger: true }),
    binance: ({ binance }) => binance.getAllAlgoOrders({ symbol }),
  },
  getForceOrders: {
    ccxt: ({ ccxt }) => ccxt.fetchMyLiquidations(unified),
    binance: ({ binance }) => binance.getForceOrders({ autoCloseType: 'LIQUIDATION' }),
  },
} satisfies Partial<OperationCalls>;

const account = {
  getBalanceV2: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivateV2GetBalance(),
    binance: ({ binance }) => binance.getBalance(),
  },
  getPositionRiskV1: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivateGetPositionRisk(),
    binance: 'has only v2 and v3',
  },
  getPositionRiskV2: {
    ccxt: ({ ccxt }) => ccxt.fetchPositions([unified], { useV2: true }),
    binance: ({ binance }) => binance.getPositions({ symbol }),
  },
  getPositionRiskV3: {
    ccxt: ({ ccxt }) => ccxt.fetchPositions(),
    binance: ({ binance }) => binance.getPositionsV3({ symbol }),
  },
  getAccountV2: {
    ccxt: ({ ccxt }) => ccxt.fetchBalance({ useV2: true }),
    binance: ({ binance }) => binance.getAccountInformation(),
  },
  getAccountV3: {
    ccxt: ({ ccxt }) => ccxt.fetchBalance(),
    binance: ({ binance }) => binance.getAccountInformationV3(),
  },
  movePositionMargin: {
    ccxt: ({ ccxt }) => ccxt.addMargin(unified, 1),
    binance: ({ binance }) => binance.setIsolatedPositionMargin({ symbol, amount: 1, type: '1' }),
  },
  getPositionMarginHistory: {
    ccxt: ({ ccxt }) => ccxt.fetchMarginAdjustmentHistory(unified),
    binance: ({ binance }) => binance.getPositionMarginChangeHistory({ symbol }),
  },
  getAdlQuantile: {
    ccxt: ({ ccxt }) => ccxt.fetchPositionsADLRank([unified]),
    binance: ({ binance }) => binance.getADLQuantileEstimation({ symbol }),
  },
} satisfies Partial<OperationCalls>;

const history = {
  getAllOrders: {
    ccxt: ({ ccxt }) => ccxt.fetchOrders(unified),
    binance: ({ binance }) => binance.getAllOrders({ symbol }),
  },
  getOrderAmendments: {
    ccxt: async (stage) =>
      stage.ccxt.fapiPrivateGetOrderAmendment({ symbol, orderId: await restCcxt(stage) }),
    binance: async (stage) => stage.binance.getOrderModifyHistory(idOf(await restBinance(stage))),
  },
  getUserTrades: {
    ccxt: ({ ccxt }) => ccxt.fetchMyTrades(unified),
    binance: ({ binance }) => binance.getAccountTrades({ symbol }),
  },
  getSlippage: {
    ccxt: ({ ccxt }) => ccxt.request('userTrades/slippage', 'fapiPrivate', 'GET', { symbol }),
    binance: ({ binance }) => binance.getPrivate('fapi/v1/userTrades/slippage', { symbol }),
  },
  getIncome: {
    ccxt: ({ ccxt }) => ccxt.fetchLedger('USDT', undefined, undefined, { type: 'swap' }),
    binance: ({ binance }) => binance.getIncomeHistory({ symbol }),
  },
  getFundingFeeHistory: {
    ccxt: ({ ccxt }) => ccxt.request('fundingFeeHistory', 'fapiPrivate', 'GET', { symbol }),
    binance: ({ binance }) => binance.getPrivate('fapi/v1/fundingFeeHistory', { symbol }),
  },
} satisfies Partial<OperationCalls>;

const settings = {
  setLeverage: {
    ccxt: ({ ccxt }) => ccxt.setLeverage(10, unified),
    binance: ({ binance }) => binance.setLeverage({ symbol, leverage: 10 }),
  },
  getLeverageBracket: {
    ccxt: ({ ccxt }) => ccxt.fetchLeverageTiers(),
    binance: ({ binance }) => binance.getNotionalAndLeverageBrackets({ symbol }),
  },
  getCommissionRate: {
    ccxt: ({ ccxt }) => ccxt.fetchTradingFee(unified),
    binance: ({ binance }) => binance.getAccountCommissionRate({ symbol }),
  },
  getSymbolConfig: {
    ccxt: ({ ccxt }) => ccxt.fetchLeverages(),
    binance: ({ binance }) => binance.getFuturesSymbolConfig({ symbol }),
  },
  getAccountConfig: {
    ccxt: ({ ccxt }) => ccxt.fetchTradingFees(),
    binance: ({ binance }) => binance.getFuturesAccountConfig(),
  },
  getMultiAssetsMargin: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivateGetMultiAssetsMargin(),
    binance: ({ binance }) => binance.getMultiAssetsMode(),
  },
  setMultiAssetsMargin: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivatePostMultiAssetsMargin({ multiAssetsMargin: 'false' }),
    binance: ({ binance }) => binance.setMultiAssetsMode({ multiAssetsMargin: 'false' }),
  },
  getApiTradingStatus: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivateGetApiTradingStatus(),
    binance: ({ binance }) => binance.getApiQuantitativeRulesIndicators(),
  },
  getOrderRateLimit: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivateGetRateLimitOrder(),
    // The package's name for it is another's.
    binance: ({ binance }) => binance.getUserForceOrders(),
  },
  setMarginType: {
    ccxt: ({ ccxt }) => ccxt.setMarginMode('cross', unified),
    binance: ({ binance }) => binance.setMarginType({ symbol, marginType: 'CROSSED' }),
  },
  getPositionMode: {
    ccxt: ({ ccxt }) => ccxt.fetchPositionMode(),
    binance: ({ binance }) => binance.getCurrentPositionMode(),
  },
  setPositionMode: {
    ccxt: ({ ccxt }) => ccxt.setPositionMode(false),
    binance: ({ binance }) => binance.setPositionMode({ dualSidePosition: 'false' }),
  },
} satisfies Partial<OperationCalls>;

const listenKeys = {
  startListenKey: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivatePostListenKey(),
    binance: ({ binance }) => binance.getFuturesUserDataListenKey(),
  },
  keepListenKey: {
    ccxt: async ({ ccxt }) => {
      await ccxt.fapiPrivatePostListenKey();
      return await ccxt.fapiPrivatePutListenKey();
    },
    binance: async ({ binance }) => {
      await binance.getFuturesUserDataListenKey();
      return await binance.keepAliveFuturesUserDataListenKey();
    },
  },
  closeListenKey: {
    ccxt: ({ ccxt }) => ccxt.fapiPrivateDeleteListenKey(),
    binance: ({ binance }) => binance.closeFuturesUserDataListenKey(),
  },
} satisfies Partial<OperationCalls>;

export const operationCalls: OperationCalls = {
  ...market,
  ...orders,
  ...batches,
  ...triggers,
  ...account,
  ...history,
  ...settings,
  ...listenKeys,
  getRpiDepth: {
    ccxt: ({ ccxt }) => ccxt.fetchOrderBook(unified, 100, { rpi: true }),
    binance: ({ binance }) => binance.getRpiOrderBook({ symbol }),
  },
};
