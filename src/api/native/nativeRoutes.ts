// The path and the caller of each native operation, by name: what a client must know of it. Each
// route is an export of its own, so that a bundle contains the routes that it names and no code
// that serves them.

import type { Route } from '../operation.ts';

/** Every route by the name of its operation. */
export type NativeRoutes = typeof import('./nativeRoutes.ts');

export const getLoginNonce: Route = { method: 'GET', path: '/api/v1/auth/nonce', auth: 'none' };
export const login: Route = { method: 'POST', path: '/api/v1/auth/login', auth: 'none' };
export const logout: Route = { method: 'POST', path: '/api/v1/auth/logout', auth: 'jwt' };
export const listSessions: Route = { method: 'GET', path: '/api/v1/sessions', auth: 'jwt' };
export const endSession: Route = { method: 'DELETE', path: '/api/v1/sessions/:id', auth: 'jwt' };
export const endOtherSessions: Route = {
  method: 'DELETE',
  path: '/api/v1/sessions',
  auth: 'jwt',
};
export const createApiKey: Route = { method: 'POST', path: '/api/v1/api-keys', auth: 'jwt' };
export const listApiKeys: Route = { method: 'GET', path: '/api/v1/api-keys', auth: 'jwt' };
export const updateApiKey: Route = { method: 'PUT', path: '/api/v1/api-keys/:id', auth: 'jwt' };
export const deleteApiKey: Route = { method: 'DELETE', path: '/api/v1/api-keys/:id', auth: 'jwt' };
export const placeNativeOrder: Route = { method: 'POST', path: '/api/v1/orders', auth: 'jwt' };
export const listNativeOrders: Route = { method: 'GET', path: '/api/v1/orders', auth: 'jwt' };
export const getNativeOrder: Route = { method: 'GET', path: '/api/v1/orders/:id', auth: 'jwt' };
export const cancelNativeOrder: Route = {
  method: 'DELETE',
  path: '/api/v1/orders/:id',
  auth: 'jwt',
};
export const modifyNativeOrder: Route = { method: 'PUT', path: '/api/v1/orders/:id', auth: 'jwt' };
export const cancelAllNativeOrders: Route = {
  method: 'DELETE',
  path: '/api/v1/orders',
  auth: 'jwt',
};
export const placeNativeBatch: Route = {
  method: 'POST',
  path: '/api/v1/batch-orders',
  auth: 'jwt',
};
export const modifyNativeBatch: Route = {
  method: 'PUT',
  path: '/api/v1/batch-orders',
  auth: 'jwt',
};
export const cancelNativeBatch: Route = {
  method: 'DELETE',
  path: '/api/v1/batch-orders',
  auth: 'jwt',
};
export const setNativeCountdown: Route = {
  method: 'POST',
  path: '/api/v1/countdown',
  auth: 'jwt',
};
export const placeNativeTrigger: Route = { method: 'POST', path: '/api/v1/triggers', auth: 'jwt' };
export const listNativeTriggers: Route = { method: 'GET', path: '/api/v1/triggers', auth: 'jwt' };
export const getNativeTrigger: Route = {
  method: 'GET',
  path: '/api/v1/triggers/:id',
  auth: 'jwt',
};
export const modifyNativeTrigger: Route = {
  method: 'PUT',
  path: '/api/v1/triggers/:id',
  auth: 'jwt',
};
export const cancelNativeTrigger: Route = {
  method: 'DELETE',
  path: '/api/v1/triggers/:id',
  auth: 'jwt',
};
export const cancelAllNativeTriggers: Route = {
  method: 'DELETE',
  path: '/api/v1/triggers',
  auth: 'jwt',
};
export const previewNativeOrder: Route = {
  method: 'POST',
  path: '/api/v1/orders/preview',
  auth: 'jwt',
};
export const claimFaucet: Route = { method: 'POST', path: '/api/v1/faucet', auth: 'jwt' };
export const getNativeAccount: Route = { method: 'GET', path: '/api/v1/account', auth: 'jwt' };
export const listPositions: Route = { method: 'GET', path: '/api/v1/positions', auth: 'jwt' };
export const listBalances: Route = { method: 'GET', path: '/api/v1/balances', auth: 'jwt' };
export const listLedger: Route = { method: 'GET', path: '/api/v1/ledger', auth: 'jwt' };
export const listFills: Route = { method: 'GET', path: '/api/v1/fills', auth: 'jwt' };
export const listFundingPayments: Route = {
  method: 'GET',
  path: '/api/v1/funding-payments',
  auth: 'jwt',
};
export const setNativeLeverage: Route = { method: 'POST', path: '/api/v1/leverage', auth: 'jwt' };
export const setMarginMode: Route = {
  method: 'POST',
  path: '/api/v1/account/margin-mode',
  auth: 'jwt',
};
export const transferCollateral: Route = {
  method: 'POST',
  path: '/api/v1/positions/:symbol/collateral',
  auth: 'jwt',
};
export const setProtection: Route = {
  method: 'POST',
  path: '/api/v1/positions/:symbol/protection',
  auth: 'jwt',
};
export const requestWithdrawal: Route = {
  method: 'POST',
  path: '/api/v1/withdraw/request',
  auth: 'jwt',
};
export const listWithdrawals: Route = { method: 'GET', path: '/api/v1/withdrawals', auth: 'jwt' };
export const listDeposits: Route = { method: 'GET', path: '/api/v1/deposits', auth: 'jwt' };
export const getReferral: Route = { method: 'GET', path: '/api/v1/referral', auth: 'jwt' };
export const setReferralCode: Route = {
  method: 'POST',
  path: '/api/v1/referral/code',
  auth: 'jwt',
};
export const bindReferral: Route = {
  method: 'POST',
  path: '/api/v1/referral/bind',
  auth: 'jwt',
};
export const claimReferral: Route = {
  method: 'POST',
  path: '/api/v1/referral/claim',
  auth: 'jwt',
};
export const getFeeInfo: Route = {
  method: 'GET',
  path: '/api/v1/account/fee-info',
  auth: 'jwtOptional',
};
export const listNativeMarkets: Route = { method: 'GET', path: '/api/v1/markets', auth: 'none' };
export const getTicker: Route = { method: 'GET', path: '/api/v1/ticker/:symbol', auth: 'none' };
export const getDepth: Route = { method: 'GET', path: '/api/v1/depth/:symbol', auth: 'none' };
export const getCandles: Route = { method: 'GET', path: '/api/v1/candles/:symbol', auth: 'none' };
export const getOpenInterest: Route = {
  method: 'GET',
  path: '/api/v1/open-interest/:symbol',
  auth: 'none',
};
export const getNativeFundingRate: Route = {
  method: 'GET',
  path: '/api/v1/funding-rates/:symbol',
  auth: 'none',
};
export const getVault: Route = { method: 'GET', path: '/api/v1/vault', auth: 'none' };
export const getProof: Route = { method: 'GET', path: '/api/v1/proof/:address', auth: 'none' };
export const getSolvency: Route = { method: 'GET', path: '/api/v1/solvency', auth: 'none' };
export const getInsuranceFund: Route = {
  method: 'GET',
  path: '/api/v1/insurance-fund',
  auth: 'none',
};
export const listInsuranceLedger: Route = {
  method: 'GET',
  path: '/api/v1/insurance-fund/ledger',
  auth: 'none',
};
export const listDeleveragings: Route = {
  method: 'GET',
  path: '/api/v1/deleveraging',
  auth: 'none',
};
