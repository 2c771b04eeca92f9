// Every operation of FAPI by name, in the order of the interface's own list.

import { cancelAlgoOpenOrders } from './cancelAlgoOpenOrders.ts';
import { cancelAlgoOrder } from './cancelAlgoOrder.ts';
import { cancelAllOpenOrders } from './cancelAllOpenOrders.ts';
import { cancelBatchOrders } from './cancelBatchOrders.ts';
import { cancelOrder } from './cancelOrder.ts';
import { getAccountConfig } from './getAccountConfig.ts';
import { getAccountV2 } from './getAccountV2.ts';
import { getAccountV3 } from './getAccountV3.ts';
import { getAdlQuantile } from './getAdlQuantile.ts';
import { getAggregateTrades } from './getAggregateTrades.ts';
import { getAlgoOrder } from './getAlgoOrder.ts';
import { getAllAlgoOrders } from './getAllAlgoOrders.ts';
import { getAllOrders } from './getAllOrders.ts';
import { getApiTradingStatus } from './getApiTradingStatus.ts';
import { getBalanceV2 } from './getBalanceV2.ts';
import { getBookTicker } from './getBookTicker.ts';
import { getCommissionRate } from './getCommissionRate.ts';
import { getConstituents } from './getConstituents.ts';
import { getDayTicker } from './getDayTicker.ts';
import { getExchangeInfo } from './getExchangeInfo.ts';
import { getForceOrders } from './getForceOrders.ts';
import { getFundingFeeHistory } from './getFundingFeeHistory.ts';
import { getFundingInfo } from './getFundingInfo.ts';
import { getFundingRate } from './getFundingRate.ts';
import { getIncome } from './getIncome.ts';
import { getLeverageBracket } from './getLeverageBracket.ts';
import { getMultiAssetsMargin } from './getMultiAssetsMargin.ts';
import { getOpenOrder } from './getOpenOrder.ts';
import { getOpenOrders } from './getOpenOrders.ts';
import { getOrder } from './getOrder.ts';
import { getOrderAmendments } from './getOrderAmendments.ts';
import { getOrderBook } from './getOrderBook.ts';
import { getOrderRateLimit } from './getOrderRateLimit.ts';
import { getPositionMode } from './getPositionMode.ts';
import { getPremiumIndex } from './getPremiumIndex.ts';
import { getRpiDepth } from './getRpiDepth.ts';
import { getSlippage } from './getSlippage.ts';
import { getSymbolConfig } from './getSymbolConfig.ts';
import { getTime } from './getTime.ts';
import { getTotalOpenInterest } from './getTotalOpenInterest.ts';
import { getUserTrades } from './getUserTrades.ts';
import { klineRows } from './klineRows.ts';
import { listenKeyRows } from './listenKeyRows.ts';
import { longShortRows } from './longShortRows.ts';
import { modifyBatchOrders } from './modifyBatchOrders.ts';
import { modifyOrder } from './modifyOrder.ts';
import { openAlgoRows } from './openAlgoRows.ts';
import { periodRows } from './periodRows.ts';
import { ping } from './ping.ts';
import { placeAlgoOrder } from './placeAlgoOrder.ts';
import { placeBatchOrders } from './placeBatchOrders.ts';
import { placeOrder } from './placeOrder.ts';
import { positionMarginRows } from './positionMarginRows.ts';
import { positionRiskRows } from './positionRiskRows.ts';
import { priceTickerRows } from './priceTickerRows.ts';
import { setCountdownCancelAll } from './setCountdownCancelAll.ts';
import { setLeverage } from './setLeverage.ts';
import { setMarginType } from './setMarginType.ts';
import { setMultiAssetsMargin } from './setMultiAssetsMargin.ts';
import { setPositionMode } from './setPositionMode.ts';
import { testOrder } from './testOrder.ts';
import { tradeRows } from './tradeRows.ts';

export const fapiOperations = {
  ping,
  getTime,
  getExchangeInfo,
  getOrderBook,
  ...tradeRows,
  getAggregateTrades,
  ...klineRows,
  getDayTicker,
  ...priceTickerRows,
  getBookTicker,
  getPremiumIndex,
  getFundingRate,
  getTotalOpenInterest,
  ...periodRows,
  ...longShortRows,
  getFundingInfo,
  getConstituents,
  getRpiDepth,
  placeOrder,
  getOrder,
  modifyOrder,
  cancelOrder,
  testOrder,
  placeBatchOrders,
  modifyBatchOrders,
  cancelBatchOrders,
  getOpenOrders,
  getOpenOrder,
  cancelAllOpenOrders,
  setCountdownCancelAll,
  placeAlgoOrder,
  getAlgoOrder,
  cancelAlgoOrder,
  ...openAlgoRows,
  cancelAlgoOpenOrders,
  getAllAlgoOrders,
  getAllOrders,
  getOrderAmendments,
  getUserTrades,
  getSlippage,
  getIncome,
  getFundingFeeHistory,
  getForceOrders,
  getBalanceV2,
  ...positionRiskRows,
  ...positionMarginRows,
  getAdlQuantile,
  getAccountV2,
  getAccountV3,
  setLeverage,
  getLeverageBracket,
  getCommissionRate,
  getSymbolConfig,
  getAccountConfig,
  getMultiAssetsMargin,
  setMultiAssetsMargin,
  getOrderRateLimit,
  getApiTradingStatus,
  setMarginType,
  getPositionMode,
  setPositionMode,
  ...listenKeyRows,
} as const;
