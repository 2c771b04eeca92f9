// Funding that the operator settles at once (OPS-1), beside the boundaries that come by themselves.
// fundingDebts.test.ts has the accounts that it ruins. The scenarios begin like those of
// funding.test.ts.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { MarketId, Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { atFundingCap } from './stages.ts';
import { createWorld } from './world.ts';

const start = atFundingCap();

scenario(
  'OPS-1 FUND-1c FUND-3 the operator settles the part that has passed, and the hour pays the rest',
  `
  ${start}
  # Nothing has accrued, and 09:00 was settled.
  funding settle
  events fundingSettled 1
  steady 60000 for 900000 every 60000
  funding settle
  paid anna -15 mm 15
  funded 1760001300000 0.0025
  shows fundedAt 1760001300000
  # Twice at one moment is once.
  funding settle
  events fundingSettled 2 fundingPaid 2
  # 0.0075 are left.
  shows fundingRate 0.0075
  steady 60000 for 2699750 every 60000
  events fundingSettled 2
  index 60000
  paid anna -45 mm 45
  funded 1760004000000 0.0075
  anna has balance 9940
  # At the very moment of the hour it is settled once.
  steady 60000 for 3599000 every 60000
  after 1000
  shows fundingDue 1760007600000
  funding settle
  paid anna -60 mm 60
  funded 1760007600000 0.01
  shows fundingDue none
  index 60000
  events fundingSettled 4
  `,
);

scenario(
  'OPS-1 FUND-3 a boundary that waits for its price is settled first, then what has passed since',
  `
  ${start}
  steady 60000 for 3599000 every 60000
  after 2000
  shows fundingDue 1760004000000
  funding settle
  # A second of the next hour.
  paid anna -60 mm 60 anna -0.016667 mm 0.016666
  funded 1760004000000 0.01 1760004001000 0.00000278
  shows fundingDue none
  steady 60000 for 3599000 every 60000
  paid anna -59.983334 mm 59.983333
  funded 1760007600000 0.00999722
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
  index 60000
  funding settle -> accepted
  # 5.501 s of an hour.
  paid anna -0.091684 mm 0.091683
  market ETHUSDT
  funding settle ETHUSDT -> priceUnavailable
  `,
);
