// The operations table: every operation of every surface, by name. The gateway serves it; the
// client and the documentation are made from it. A new operation is a row and a line here.

import { fapiOperations } from './fapi/fapiOperations.ts';
import { bindReferral } from './native/bindReferral.ts';
import { cancelAllNativeOrders } from './native/cancelAllNativeOrders.ts';
import { cancelAllNativeTriggers } from './native/cancelAllNativeTriggers.ts';
import { cancelNativeBatch } from './native/cancelNativeBatch.ts';
import { cancelNativeOrder } from './native/cancelNativeOrder.ts';
import { cancelNativeTrigger } from './native/cancelNativeTrigger.ts';
import { claimFaucet } from './native/claimFaucet.ts';
import { claimReferral } from './native/claimReferral.ts';
import { createApiKey } from './native/createApiKey.ts';
import { deleteApiKey } from './native/deleteApiKey.ts';
import { getCandles } from './native/getCandles.ts';
import { getDepth } from './native/getDepth.ts';
import { getFeeInfo } from './native/getFeeInfo.ts';
import { getInsuranceFund } from './native/getInsuranceFund.ts';
import { getLoginNonce } from './native/getLoginNonce.ts';
import { getNativeAccount } from './native/getNativeAccount.ts';
import { getNativeFundingRate } from './native/getNativeFundingRate.ts';
import { getNativeOrder } from './native/getNativeOrder.ts';
import { getNativeTrigger } from './native/getNativeTrigger.ts';
import { getOpenInterest } from './native/getOpenInterest.ts';
import { getProof } from './native/getProof.ts';
import { getReferral } from './native/getReferral.ts';
import { getSolvency } from './native/getSolvency.ts';
import { getTicker } from './native/getTicker.ts';
import { getVault } from './native/getVault.ts';
import { listApiKeys } from './native/listApiKeys.ts';
import { listBalances } from './native/listBalances.ts';
import { listDeleveragings } from './native/listDeleveragings.ts';
import { listDeposits } from './native/listDeposits.ts';
import { listFills } from './native/listFills.ts';
import { listFundingPayments } from './native/listFundingPayments.ts';
import { listInsuranceLedger } from './native/listInsuranceLedger.ts';
import { listLedger } from './native/listLedger.ts';
import { listNativeMarkets } from './native/listNativeMarkets.ts';
import { listNativeOrders } from './native/listNativeOrders.ts';
import { listNativeTriggers } from './native/listNativeTriggers.ts';
import { listPositions } from './native/listPositions.ts';
import { listWithdrawals } from './native/listWithdrawals.ts';
import { login } from './native/login.ts';
import { modifyNativeBatch } from './native/modifyNativeBatch.ts';
import { modifyNativeOrder } from './native/modifyNativeOrder.ts';
import { modifyNativeTrigger } from './native/modifyNativeTrigger.ts';
import type { NativeRoutes } from './native/nativeRoutes.ts';
import { placeNativeBatch } from './native/placeNativeBatch.ts';
import { placeNativeOrder } from './native/placeNativeOrder.ts';
import { placeNativeTrigger } from './native/placeNativeTrigger.ts';
import { previewNativeOrder } from './native/previewNativeOrder.ts';
import { requestWithdrawal } from './native/requestWithdrawal.ts';
import { sessionRows } from './native/sessionRows.ts';
import { setMarginMode } from './native/setMarginMode.ts';
import { setNativeCountdown } from './native/setNativeCountdown.ts';
import { setNativeLeverage } from './native/setNativeLeverage.ts';
import { setProtection } from './native/setProtection.ts';
import { setReferralCode } from './native/setReferralCode.ts';
import { transferCollateral } from './native/transferCollateral.ts';
import { updateApiKey } from './native/updateApiKey.ts';
import type { Operation } from './operation.ts';
import { bindVault } from './operator/bindVault.ts';
import { changeAccount } from './operator/changeAccount.ts';
import { changeApiKey } from './operator/changeApiKey.ts';
import { changeMarket } from './operator/changeMarket.ts';
import { correctCredit } from './operator/correctCredit.ts';
import { creditAccount } from './operator/creditAccount.ts';
import { creditInsurance } from './operator/creditInsurance.ts';
import { getBracketTable } from './operator/getBracketTable.ts';
import { getFeeTiers } from './operator/getFeeTiers.ts';
import { getInvariants } from './operator/getInvariants.ts';
import { getOperatorVault } from './operator/getOperatorVault.ts';
import { getReferralTerms } from './operator/getReferralTerms.ts';
import { getStateHash } from './operator/getStateHash.ts';
import { listMarket } from './operator/listMarket.ts';
import { listOperatorMarkets } from './operator/listOperatorMarkets.ts';
import { listPendingWithdrawals } from './operator/listPendingWithdrawals.ts';
import { resolveWithdrawal } from './operator/resolveWithdrawal.ts';
import { setFeeTiers } from './operator/setFeeTiers.ts';
import { setIndexPrice } from './operator/setIndexPrice.ts';
import { setReferralTerms } from './operator/setReferralTerms.ts';
import { settleFunding } from './operator/settleFunding.ts';
import { setWithdrawalTerms } from './operator/setWithdrawalTerms.ts';
import { takeSnapshot } from './operator/takeSnapshot.ts';
import { documentationRows } from './probes/documentationRows.ts';
import { documentPageRows } from './probes/documentPageRows.ts';
import { getFavicon } from './probes/getFavicon.ts';
import { getHealth } from './probes/getHealth.ts';
import { getLiquidationHealth } from './probes/getLiquidationHealth.ts';
import { getMetrics, getOperatorMetrics } from './probes/getMetrics.ts';
import { getPage } from './probes/getPage.ts';
import { getPageFile } from './probes/getPageFile.ts';

export const nativeOperations = {
  getLoginNonce,
  login,
  ...sessionRows,
  createApiKey,
  listApiKeys,
  updateApiKey,
  deleteApiKey,
  placeNativeOrder,
  listNativeOrders,
  getNativeOrder,
  cancelNativeOrder,
  modifyNativeOrder,
  cancelAllNativeOrders,
  placeNativeBatch,
  modifyNativeBatch,
  cancelNativeBatch,
  setNativeCountdown,
  placeNativeTrigger,
  listNativeTriggers,
  getNativeTrigger,
  modifyNativeTrigger,
  cancelNativeTrigger,
  cancelAllNativeTriggers,
  previewNativeOrder,
  getNativeAccount,
  claimFaucet,
  listPositions,
  listBalances,
  listLedger,
  listFills,
  listFundingPayments,
  setNativeLeverage,
  setMarginMode,
  transferCollateral,
  setProtection,
  requestWithdrawal,
  listWithdrawals,
  listDeposits,
  getReferral,
  setReferralCode,
  bindReferral,
  claimReferral,
  getFeeInfo,
  listNativeMarkets,
  getTicker,
  getDepth,
  getCandles,
  getOpenInterest,
  getNativeFundingRate,
  getVault,
  getProof,
  getSolvency,
  getInsuranceFund,
  listInsuranceLedger,
  listDeleveragings,
} as const satisfies Readonly<Record<keyof NativeRoutes, Operation>>;

export const operatorOperations = {
  creditAccount,
  correctCredit,
  changeAccount,
  changeApiKey,
  listMarket,
  listOperatorMarkets,
  changeMarket,
  getBracketTable,
  setIndexPrice,
  settleFunding,
  creditInsurance,
  listPendingWithdrawals,
  resolveWithdrawal,
  getOperatorVault,
  bindVault,
  setWithdrawalTerms,
  getFeeTiers,
  setFeeTiers,
  getReferralTerms,
  setReferralTerms,
  takeSnapshot,
  getStateHash,
  getInvariants,
} as const;

const rowsOf = (table: Readonly<Record<string, Operation>>): Operation[] => Object.values(table);

export const probeOperations = {
  getPage,
  getPageFile,
  getHealth,
  getLiquidationHealth,
  getMetrics,
  getFavicon,
  ...documentationRows(() => operations),
  ...documentPageRows,
} as const;

/** The rows of the public listener. */
export const publicOperations: readonly Operation[] = [
  ...rowsOf(fapiOperations),
  ...rowsOf(nativeOperations),
  ...rowsOf(probeOperations),
];

/**
 * The rows of the operator's listener. Its metrics have the same path as on the clients' listener,
 * so that documentation and client contain them once.
 */
export const operatorListenerOperations: readonly Operation[] = [
  ...rowsOf(operatorOperations),
  getOperatorMetrics,
];

/** Every row of every surface: served and documented. */
export const operations: readonly Operation[] = [
  ...publicOperations,
  ...rowsOf(operatorOperations),
];
