// A session that asks every operation once and succeeds, in an exchange whose clock, wallets and
// random numbers are fixed: its requests and answers are the examples of the documentation.

import type { ApiExample, ApiExamples } from '../../src/api/examples.ts';
import type { Operation } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { type Credentials, type RowRequest, rowRequest } from '../../src/client/rowRequest.ts';
import { must } from '../../src/std/assert.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Money } from '../../src/units/units.ts';
import {
  type MemoryExchange,
  openMemoryExchange,
  operatorToken,
} from '../fixtures/memoryExchange.ts';
import { createWallet } from '../identity/wallet.ts';

type Parameters = Readonly<Record<string, unknown>>;

export type Say = (
  name: string,
  parameters?: Parameters,
  who?: Credentials & { readonly idempotencyKey?: string },
  // biome-ignore lint/suspicious/noExplicitAny: the schema describes each answer.
) => Promise<any>;

const operator = { operatorToken };
const symbol = 'BTCUSDT';
const grid = { tick_size: '0.1', lot_size: '0.001', max_leverage: 50 };

/** The same bytes in every session. */
function seededBytes(): (size: number) => Buffer {
  const prng = createPrng(7);
  return (size) => Buffer.from(Array.from({ length: size }, () => prng.below(256)));
}

/** Every operation's example by its name; the first call of each is the one that is shown. */
export async function exampleSession(): Promise<ApiExamples> {
  const faucet = 10_000_000_000 as Money;
  const world = await openMemoryExchange({ randomBytes: seededBytes(), faucet });
  const examples: Record<string, ApiExample> = {};
  const say: Say = async (name, parameters = {}, who = {}) => {
    const row = must(
      operations.find((each) => each.name === name),
      `there is an operation ${name}`,
    );
    const example = await ask(
      world,
      row,
      await rowRequest(row, parameters, { ...who, now: world.clock.now() }),
    );
    examples[name] ??= example;
    return example.answer;
  };
  try {
    const { maker, taker } = await beginSession(world, say);
    await tradeSession(world, say, { maker, taker });
    await orderSession(say, taker);
    await triggerSession(say, taker);
    await readSession(say, taker);
    await settingsSession(say, taker);
    await endSession(say, taker);
    await isolatedSession(say, await enter(say, 3));
    await sessionSession(say, 3);
  } finally {
    await world.close();
  }
  return examples;
}

async function ask(
  { app, operatorApp }: MemoryExchange,
  row: Operation,
  { method, path, headers, body }: RowRequest,
): Promise<ApiExample> {
  const listener = row.surface === 'operator' ? operatorApp : app;
  const { statusCode: status, payload } = await listener.inject({
    method: method as 'GET',
    url: path,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  });
  const answer =
    payload.startsWith('{') || payload.startsWith('[') ? JSON.parse(payload) : undefined;
  const shown = answer === undefined || isDocument(answer) ? {} : { answer };
  return {
    request: { method, path, headers, ...(body === undefined ? {} : { body }) },
    status,
    ...shown,
  };
}

/** The documentation is no example of itself. */
const isDocument = (answer: object): boolean => 'openapi' in answer || 'asyncapi' in answer;

type Caller = Required<Pick<Credentials, 'apiKey' | 'secretKey' | 'token'>> & {
  readonly address: string;
  readonly keyId: string;
};

async function beginSession(
  world: MemoryExchange,
  say: Say,
): Promise<{ readonly maker: Caller; readonly taker: Caller }> {
  await say('listMarket', { symbol, base_asset: 'BTC', ...grid }, operator);
  await say('listMarket', { symbol: 'ETHUSDT', base_asset: 'ETH', ...grid }, operator);
  await say('setIndexPrice', { symbol, price: '50000' }, operator);
  const made = { maker: await enter(say, 1), taker: await enter(say, 2) };
  await say('setReferralCode', { code: 'EVERMARK1' }, made.maker);
  await say('bindReferral', { code: 'EVERMARK1' }, made.taker);
  world.clock.advance(1000);
  return made;
}

/** A wallet logs in, makes a key, and gets money. */
async function enter(say: Say, seed: number): Promise<Caller> {
  const wallet = createWallet(seed);
  const { address } = wallet;
  const { nonce, timestamp } = await say('getLoginNonce', { address });
  const signature = await wallet.sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await say('login', { address, nonce, timestamp, signature });
  const key = await say('createApiKey', { label: `key of ${seed}` }, { token });
  const reference = `deposit ${seed}`;
  await say('creditAccount', { address, amount: '100000', reference }, operator);
  const { api_key: apiKey, secret_key: secretKey, id: keyId } = key;
  return { apiKey, secretKey, token, address, keyId };
}

async function tradeSession(
  world: MemoryExchange,
  say: Say,
  { maker, taker }: { readonly maker: Caller; readonly taker: Caller },
): Promise<void> {
  const limit = { symbol, type: 'LIMIT', timeInForce: 'GTC', price: '50000', quantity: '0.100' };
  const first = { ...limit, side: 'BUY', newClientOrderId: 'first-order' };
  await say('placeOrder', first, { ...taker, idempotencyKey: 'first-order' });
  await say(
    'placeNativeOrder',
    { symbol, side: 'SELL', type: 'LIMIT', price: '50000', quantity: '0.040' },
    maker,
  );
  const offer = { ...limit, side: 'SELL', price: '50100', quantity: '1.000' };
  await say('placeOrder', { ...offer, newClientOrderId: 'offer' }, maker);
  world.clock.advance(1000);
  await say('setIndexPrice', { symbol, price: '50010' }, operator);
  await say('settleFunding', { symbol }, operator);
  await say('getReferral', {}, maker);
  await say('claimReferral', {}, maker);
}

const bid = {
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '49000',
  quantity: '0.010',
};

async function orderSession(say: Say, taker: Caller): Promise<void> {
  const own = (origClientOrderId: string) => ({ symbol, origClientOrderId });
  await say('testOrder', bid, taker);
  await say('getOrder', own('first-order'), taker);
  await say(
    'modifyOrder',
    { ...own('first-order'), side: 'BUY', quantity: '0.080', price: '49900' },
    taker,
  );
  await say('getOpenOrder', own('first-order'), taker);
  await say('getOpenOrders', { symbol }, taker);
  const batch = ['batch-1', 'batch-2'].map((newClientOrderId) => ({ ...bid, newClientOrderId }));
  await say('placeBatchOrders', { batchOrders: batch }, taker);
  const changes = [{ ...own('batch-1'), side: 'BUY', quantity: '0.020', price: '48000' }];
  await say('modifyBatchOrders', { batchOrders: changes }, taker);
  await say('cancelBatchOrders', { symbol, origClientOrderIdList: ['batch-1', 'unknown'] }, taker);
  await say('cancelOrder', own('batch-2'), taker);
  await say('setCountdownCancelAll', { symbol, countdownTime: 60_000 }, taker);
  const native = { symbol, side: 'BUY', type: 'LIMIT', price: '48000', quantity: '0.010' };
  await say('previewNativeOrder', { ...native, type: 'MARKET' }, taker);
  const { order_id: id } = await say('placeNativeOrder', native, taker);
  await say('listNativeOrders', { symbol }, taker);
  await say('getNativeOrder', { id }, taker);
  await say('modifyNativeOrder', { id, quantity: '0.020', price: '48100' }, taker);
  await say('cancelNativeOrder', { id }, taker);
  const ladder = ['48000', '47000'].map((price) => ({ ...native, price }));
  const placed = await say('placeNativeBatch', { orders: ladder }, taker);
  const [first, second]: string[] = placed.map(({ order_id }: { order_id: string }) => order_id);
  const moved = [{ id: first, quantity: '0.010', price: '48500' }];
  await say('modifyNativeBatch', { orders: moved }, taker);
  await say('cancelNativeBatch', { ids: [second, 'unknown'] }, taker);
  await say('setNativeCountdown', { symbol, countdown_time: 60_000 }, taker);
  await say('cancelAllNativeOrders', { symbol }, taker);
}

async function triggerSession(say: Say, taker: Caller): Promise<void> {
  const stop = {
    algoType: 'CONDITIONAL',
    symbol,
    side: 'SELL',
    type: 'STOP_MARKET',
    triggerPrice: '45000',
    closePosition: true,
  };
  await say('placeAlgoOrder', { ...stop, clientAlgoId: 'stop-1' }, taker);
  await say('getAlgoOrder', { clientAlgoId: 'stop-1' }, taker);
  await say('getOpenAlgoOrders', { symbol }, taker);
  await say('getAlgoOpenOrders', { symbol }, taker);
  await say('cancelAlgoOrder', { clientAlgoId: 'stop-1' }, taker);
  await say('placeAlgoOrder', { ...stop, clientAlgoId: 'stop-2' }, taker);
  await say('cancelAlgoOpenOrders', { symbol }, taker);
  await say('getAllAlgoOrders', { symbol }, taker);
  await nativeTriggerSession(say, taker);
}

async function nativeTriggerSession(say: Say, taker: Caller): Promise<void> {
  const closing = { symbol, side: 'SELL', type: 'STOP_MARKET', close_position: true };
  const stop = { ...closing, trigger_price: '45000', client_algo_id: 'stop-3' };
  const { algo_id: id } = await say('placeNativeTrigger', stop, taker);
  await say('listNativeTriggers', { symbol }, taker);
  await say('modifyNativeTrigger', { id, trigger_price: '46000' }, taker);
  await say('getNativeTrigger', { id }, taker);
  await say('cancelNativeTrigger', { id }, taker);
  await say('cancelAllNativeTriggers', { symbol }, taker);
  const take_profit = { trigger_price: '60000', price: '60010' };
  const stop_loss = { trigger_price: '45000' };
  await say('setProtection', { symbol, take_profit, stop_loss }, taker);
  await say('setProtection', { symbol, take_profit: null, stop_loss: null }, taker);
}

/** The parameters of what only reads; who needs a key or a token shows the taker's. */
const reads: readonly (readonly [string, Parameters])[] = [
  ['ping', {}],
  ['getTime', {}],
  ['getExchangeInfo', {}],
  ['getOrderBook', { symbol, limit: 5 }],
  ['getTrades', { symbol, limit: 5 }],
  ['getHistoricalTrades', { symbol, limit: 5 }],
  ['getAggregateTrades', { symbol, limit: 5 }],
  ['getKlines', { symbol, interval: '1m', limit: 2 }],
  ['getContinuousKlines', { pair: symbol, contractType: 'PERPETUAL', interval: '1h', limit: 2 }],
  ['getMarkPriceKlines', { symbol, interval: '1m', limit: 2 }],
  ['getIndexPriceKlines', { pair: symbol, interval: '1m', limit: 2 }],
  ['getPremiumIndexKlines', { symbol, interval: '1m', limit: 2 }],
  ['getDayTicker', { symbol }],
  ['getPriceTickerV1', { symbol }],
  ['getPriceTickerV2', { symbol }],
  ['getBookTicker', { symbol }],
  ['getPremiumIndex', { symbol }],
  ['getFundingRate', { symbol }],
  ['getTotalOpenInterest', { symbol }],
  ['getOpenInterestHistory', { symbol, period: '5m' }],
  ['getTakerVolumes', { symbol, period: '5m' }],
  ['getTopLongShortPositionRatio', { symbol }],
  ['getTopLongShortAccountRatio', { symbol }],
  ['getGlobalLongShortAccountRatio', { symbol }],
  ['getFundingInfo', {}],
  ['getConstituents', { symbol }],
  ['getRpiDepth', {}],
  ['getAllOrders', { symbol, limit: 2 }],
  ['getOrderAmendments', { symbol, origClientOrderId: 'first-order' }],
  ['getUserTrades', { symbol }],
  ['getSlippage', { symbol }],
  ['getIncome', {}],
  ['getFundingFeeHistory', {}],
  ['getForceOrders', {}],
  ['getBalanceV2', {}],
  ['getPositionRiskV1', { symbol }],
  ['getPositionRiskV2', { symbol }],
  ['getPositionRiskV3', { symbol }],
  ['getPositionMarginHistory', { symbol }],
  ['getAdlQuantile', { symbol }],
  ['getAccountV2', {}],
  ['getAccountV3', {}],
  ['getLeverageBracket', { symbol }],
  ['getCommissionRate', { symbol }],
  ['getSymbolConfig', { symbol }],
  ['getAccountConfig', {}],
  ['getMultiAssetsMargin', {}],
  ['getOrderRateLimit', {}],
  ['getApiTradingStatus', {}],
  ['getPositionMode', {}],
  ['listApiKeys', {}],
  ['getNativeAccount', {}],
  ['listPositions', { symbol }],
  ['listBalances', {}],
  ['listLedger', {}],
  ['listFills', { symbol }],
  ['listFundingPayments', {}],
  ['listDeposits', {}],
  ['getFeeInfo', { symbol }],
  ['listNativeMarkets', {}],
  ['getTicker', { symbol }],
  ['getDepth', { symbol, limit: 5 }],
  ['getCandles', { symbol, period: '1m', limit: 2 }],
  ['getOpenInterest', { symbol }],
  ['getNativeFundingRate', { symbol }],
  ['getInsuranceFund', {}],
  ['listDeleveragings', {}],
  ['getHealth', {}],
  ['getLiquidationHealth', { chain: 'fuji' }],
  ['getMetrics', {}],
  ['getFavicon', {}],
  ['getOpenApi', {}],
  ['getAsyncApi', {}],
  ['getPage', {}],
  ['getPageFile', { name: 'app-TEST.js' }],
  ['getDocumentation', {}],
  ['getDocumentPage', { name: 'errors' }],
  ['getRulePage', { name: 'orders' }],
  ['getDocumentFile', { name: 'reference-TEST.js' }],
];

async function readSession(say: Say, taker: Caller): Promise<void> {
  for (const [name, parameters] of reads) await say(name, parameters, taker);
}

async function settingsSession(say: Say, taker: Caller): Promise<void> {
  await say('setLeverage', { symbol, leverage: 10 }, taker);
  await say('setMarginType', { symbol, marginType: 'CROSSED' }, taker);
  await say('setPositionMode', { dualSidePosition: false }, taker);
  await say('setMultiAssetsMargin', { multiAssetsMargin: false }, taker);
  await say('movePositionMargin', { symbol, amount: '1', type: 1 }, taker);
  await say('setNativeLeverage', { symbol: 'ETHUSDT', leverage: 5 }, taker);
  await say('startListenKey', {}, taker);
  await say('keepListenKey', {}, taker);
  await say('closeListenKey', {}, taker);
  const wrong = { address: taker.address, credit: 'deposit 2', amount: '99000' };
  await say('correctCredit', { ...wrong, reference: 'deposit 2, corrected' }, operator);
  await say('creditInsurance', { amount: '5000', reference: 'seed of the fund' }, operator);
  await say('listInsuranceLedger');
  await say('changeApiKey', { api_key: taker.apiKey, rate_tier: 'ext-mm' }, operator);
  await say('listOperatorMarkets', {}, operator);
  await say('getBracketTable', { symbol: 'ETHUSDT', fund: '1000000', gap: '0.05' }, operator);
  await say('changeMarket', { symbol: 'ETHUSDT', max_leverage: 25 }, operator);
  const { tiers } = await say('getFeeTiers', {}, operator);
  const better = { min_volume: '1000000', maker_discount: '0.1', taker_discount: '0.1' };
  await say('setFeeTiers', { tiers: [...tiers, better] }, operator);
  await say('changeAccount', { address: taker.address, fee_tier: 1 }, operator);
  await say('getOperatorVault', {}, operator);
  const vault = { address: `0x${'ab'.repeat(20)}`, token: `0x${'cd'.repeat(20)}` };
  const code = { code_hash: `0x${'12'.repeat(32)}`, deploy_block: 40_000_000 };
  await say('bindVault', { chain_id: 43113, ...vault, token_decimals: 6, ...code }, operator);
  await say('setWithdrawalTerms', { min: '5', fee: '0.2' }, operator);
  await say('getVault', { address: taker.address });
  await say('getSolvency', {});
  await say('getProof', { address: taker.address });
  await say('getReferralTerms', {}, operator);
  await say('setReferralTerms', { share: '0.2' }, operator);
  await say('updateApiKey', { id: taker.keyId, label: 'trading' }, taker);
}

async function endSession(say: Say, taker: Caller): Promise<void> {
  const asked = { ...taker, idempotencyKey: 'withdrawal-1' };
  const { id } = await say('requestWithdrawal', { amount: '1000' }, asked);
  await say('listPendingWithdrawals', {}, operator);
  await say('resolveWithdrawal', { id, action: 'complete' }, operator);
  await say('listWithdrawals', {}, taker);
  await say('cancelAllOpenOrders', { symbol }, taker);
  await say('getStateHash', {}, operator);
  await say('getInvariants', {}, operator);
  await say('takeSnapshot', {}, operator);
}

async function isolatedSession(say: Say, caller: Caller): Promise<void> {
  await say('setMarginMode', { mode: 'isolated' }, caller);
  const buy = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.010' };
  await say('placeNativeOrder', buy, caller);
  await say('transferCollateral', { symbol, delta: '10' }, caller);
  await say('claimFaucet', {}, caller);
  await say('deleteApiKey', { id: caller.keyId }, caller);
}

/** The wallet logs in again and ends its sessions. */
async function sessionSession(say: Say, seed: number): Promise<void> {
  const wallet = createWallet(seed);
  const { address } = wallet;
  const { nonce, timestamp } = await say('getLoginNonce', { address });
  const signature = await wallet.sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await say('login', { address, nonce, timestamp, signature });
  const [, earlier] = await say('listSessions', {}, { token });
  await say('endSession', { id: earlier.id }, { token });
  await say('endOtherSessions', {}, { token });
  await say('logout', {}, { token });
}
