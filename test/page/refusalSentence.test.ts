// The page says refusals in the person's language, at the part of the order that each concerns: it
// knows them by the exchange's own sentences.

import { beforeAll, expect, test } from 'vitest';
import { rejectionErrors } from '../../src/api/errors/rejectionErrors.ts';
import { ApiError } from '../../src/client/apiError.ts';
import type { Rejection } from '../../src/engine/rejection.ts';
import { shownLanguage } from '../../src/page/messages/language.ts';
import { readRefusals } from '../../src/page/messages/refusals.ts';
import { showLanguage } from '../../src/page/messages/showLanguage.ts';
import { refusalPlace } from '../../src/page/ticket/refusalPlace.ts';

beforeAll(async () => {
  await readRefusals();
  // Its texts are there from then on.
  await showLanguage('de');
  await showLanguage('en');
});

/** With the figures of the engine: money in millionths of a USDT, prices as texts. */
const rejections = [
  [{ reason: 'wouldTrigger' }, 'trigger', 'The mark is there already. Choose a price ahead of it.'],
  [
    { reason: 'takeProfitWrongSide', reference: '60000.0' },
    'takeProfit',
    'The take-profit of a buy is above 60,000.0, that of a sell below.',
  ],
  [
    { reason: 'stopLossWrongSide', reference: '60000.0' },
    'stopLoss',
    'The stop-loss of a buy is below 60,000.0, that of a sell above.',
  ],
  [{ reason: 'goodTillDateInvalid' }, 'goodTill', 'At least 10 minutes and at most 90 days ahead.'],
  [{ reason: 'callbackRateInvalid' }, 'callback', 'From 0.1 to 10 percent.'],
  [
    { reason: 'triggersLimit' },
    'order',
    'You have as many waiting triggers as an account may have.',
  ],
  [
    { reason: 'equityInsufficient', required: 2_000_000_000 },
    'order',
    'So many triggers need an equity of 2,000 USDT.',
  ],
  [
    { reason: 'openOrdersLimit' },
    'order',
    'You have as many open orders here as an account may have.',
  ],
  [
    { reason: 'notionalBelowMin', min: 5_000_000 },
    'size',
    'The order must be worth at least 5 USDT.',
  ],
  [
    { reason: 'notionalAboveMax', max: 1_000_000_500_000 },
    'size',
    'The order may be worth at most 1,000,000.5 USDT.',
  ],
  [{ reason: 'quantityBelowLot' }, 'size', 'The size is below the smallest step.'],
  [{ reason: 'quantityAboveMax' }, 'size', 'The size is too large.'],
  [{ reason: 'quantityBelowFilled' }, 'size', 'More than that is filled already.'],
  [
    { reason: 'priceAboveBand', max: '66000.0' },
    'price',
    'A buy may not be priced above 66,000.0.',
  ],
  [
    { reason: 'priceBelowBand', min: '54000.0' },
    'price',
    'A sell may not be priced below 54,000.0.',
  ],
  [
    { reason: 'leverageAboveBracket', leverage: 50, max: 25 },
    'leverage',
    'So much is open here that at most 25x can open more.',
  ],
  [
    { reason: 'leverageInvalid', leverage: 500, max: 50 },
    'leverage',
    'A whole number from 1 to 50.',
  ],
  [{ reason: 'marketHalted' }, 'order', 'The market is halted.'],
  [
    { reason: 'marketReduceOnly' },
    'order',
    'The market takes only orders that reduce a position at the moment.',
  ],
  [{ reason: 'counterpartyMissing' }, 'size', 'There is no order within the price bound.'],
  [{ reason: 'balanceInsufficient', max: 12_500_000 }, 'size', 'At most 12.5 USDT are available.'],
  [{ reason: 'marginInsufficient' }, 'size', 'The available balance is too small.'],
  [{ reason: 'slippageExceeded' }, 'slippage', 'The price would move too far for this order.'],
  [{ reason: 'wouldMatch' }, 'price', 'A post-only order at this price would be filled at once.'],
  [
    { reason: 'reduceOnlyRejected' },
    'reduceOnly',
    'There is no position that the order would reduce.',
  ],
] as const;

type Row = {
  readonly native: { readonly status: number; readonly code: string };
  readonly msg: Said;
  readonly message?: Said;
};
type Said = string | ((rejection: Rejection) => string);

/** The answer that the exchange gives to this rejection. */
function answerTo(rejection: Rejection): ApiError {
  const { native, msg, message = msg } = rejectionErrors[rejection.reason] as unknown as Row;
  const said = typeof message === 'string' ? message : message(rejection);
  const body = JSON.stringify({ error: { code: native.code, message: said } });
  return new ApiError({ operation: 'placeNativeOrder', status: native.status, body });
}

test.each(rejections)('%j is shown at %s', (rejection, part, text) => {
  const error = answerTo(rejection as unknown as Rejection);
  expect(refusalPlace(error)).toEqual({ part, text });
  shownLanguage.value = 'de';
  const german = refusalPlace(error);
  shownLanguage.value = 'en';
  expect(german.part).toBe(part);
  expect(german.text).not.toBe(text);
  // No word of the exchange's English is left.
  expect(german.text).not.toContain(error.detail);
});

test('what no field concerns is said of the whole order', () => {
  expect(refusalPlace(new TypeError('fetch failed'))).toEqual({
    part: 'order',
    text: 'The exchange cannot be reached. Nothing is known of the request.',
  });
  const busy = new ApiError({
    operation: 'placeNativeOrder',
    status: 429,
    body: '{"error":{"code":"TOO_MANY_REQUESTS","message":"Too many requests."}}',
  });
  expect(refusalPlace(busy)).toEqual({
    part: 'order',
    text: 'Too many requests. Wait a moment.',
  });
});
