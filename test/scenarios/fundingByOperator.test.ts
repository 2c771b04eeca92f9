// Funding that the operator settles at once (OPS-1), beside the boundaries that come by themselves.
// fundingDebts.test.ts has the accounts that it ruins. The scenarios begin like those of
// funding.test.ts.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { MarketId, Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

/** Anna long 0.1, the house short: the rate is the cap, 1 %. */
const start = `
  market BTCUSDT makerFee 0 takerFee 0 fundingIntervalHours 1
  credit anna 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
`;

scenario(
  'OPS-1 FUND-3 the operator settles funding: the boundary is now, and the next hour still follows',
  `
  ${start}
  funding settle
  paid anna -60 mm 60
  funded 1760000000250 0.01
  funding settle
  anna has balance 9880
  steady 60000 for 399750
  funded 1760000400000 0.01
  # At the very moment of the hour it is settled once.
  steady 60000 for 3599000
  after 1000
  shows fundingDue 1760004000000
  funding settle
  funded 1760004000000 0.01
  shows fundingDue none
  index 60000
  paid
  events fundingSettled 4
  `,
);

scenario(
  'OPS-1 FUND-3 a boundary that waits for its price still comes after the operator has settled',
  `
  ${start}
  steady 60000 for 399000
  after 850
  shows fundingDue 1760000400000
  funding settle
  funded 1760000400100 0.01
  shows fundingDue 1760000400000
  index 60000
  funded 1760000400000 0.01
  anna has balance 9880
  `,
);

test('OPS-1 marketUnknown: the operator can settle funding only in a market that exists', () => {
  const { exchange } = play(createWorld(), start);
  const settle = (market: number) =>
    applyCommand(exchange, { kind: 'settleFunding', market: market as MarketId }, 0 as Time);
  const rejection = { reason: 'marketUnknown' };
  expect(settle(1)).toEqual({ kind: 'rejected', rejection });
  expect(settle(0)).toEqual({ kind: 'accepted', market: exchange.markets[0] });
});

scenario(
  'OPS-1 marketHalted, priceUnavailable: the operator can settle funding only in a live market',
  `
  ${start}
  after 5001
  funding settle -> priceUnavailable
  index 60000
  change status HALT
  funding settle -> marketHalted
  change status CLOSE
  funding settle -> accepted
  paid anna -60 mm 60
  market ETHUSDT
  funding settle ETHUSDT -> priceUnavailable
  `,
);
