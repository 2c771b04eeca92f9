// The fill check of isolated positions to the last unit (MAR-4, MAR-9a, FUND-1d). The rules are in
// fillCheckIsolated.test.ts; fillBounds.test.ts has the same of cross accounts.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

const dustTerms = `${free} minOrderSize 0.000001`;

/** Anna is isolated; one lot of DUST at 1 costs 1000 units, 50 of them margin. */
const dust = `
  market DUSTUSDT ${dustTerms}
  credit anna 10
  credit ben 1000
  anna mode isolated
  index 1
`;

scenario(
  'MAR-9a MAR-7 isolated: a maker whose fill leaves one unit less than its initial margin is cancelled',
  `
  # 31 of 50 units are lost: 19 for twice 9.69, rounded up. At 0.97 20 are left for twice 9.7.
  ${dust}
  anna buy 0.001 @ 1 id first
  anna buy 0.001 @ 1 id second
  drift 0.969
  ben sell 0.001 @ 1 IOC -> CANCELED IOC
  anna order first status CANCELED reason MARGIN
  anna order second status CANCELED reason MARGIN
  anna buy 0.001 @ 1 id third -> NEW
  drift 0.97
  ben sell 0.001 @ 1 -> FILLED
  `,
);

scenario(
  'MAR-9a MAR-7 isolated: the new side of a flip of one lot does not count the equity of the old one',
  `
  # Sold at 1 with a mark of 1.029 the new lot keeps 21 of 50 units, and twice 10.29 are 22. At 1.028
  # it keeps 22.
  ${dust}
  anna buy 0.001 @ 1
  ben sell 0.001 @ 1
  anna sell 0.002 @ 1 id first
  drift 1.029
  ben buy 0.002 @ 1 IOC -> CANCELED IOC
  anna order first status CANCELED reason MARGIN
  drift 1
  anna sell 0.002 @ 1
  drift 1.028
  ben buy 0.002 @ 1 IOC -> FILLED
  anna has position -0.001
  `,
);

scenario(
  'MAR-4b MAR-7 isolated: on an old index the whole position must carry the 10 %, not what is added',
  `
  # 333.333334 and 300 for 6000.
  market BTCUSDT ${free}
  credit anna 10000
  credit ben 10000
  anna mode isolated
  index 60000
  ben sell 0.1 @ 60000
  anna leverage 9
  anna buy 0.05 @ 60000 -> FILLED
  after 5001
  anna leverage 10
  anna buy 0.05 @ 60000 -> marginInsufficient
  anna leverage 9
  anna buy 0.05 @ 60000 -> FILLED
  `,
);

/** Isolated, 0.1 BTC from 60000 on 300, of which 100 are left at 58000. */
const long = (credit: string, terms = free) => `
  market BTCUSDT ${terms}
  credit anna ${credit}
  credit ben 100000
  anna mode isolated
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  drift 58000
`;

scenario(
  'MAR-4e MAR-7 isolated: a single lot keeps the ratio, which may be below 1',
  `
  ${long('330')}
  ben buy 0.001 @ 56999.9
  anna sell 0.001 @ 56999.9 IOC -> marginInsufficient
  ben buy 0.001 @ 57000
  anna sell 0.001 @ 57000 IOC -> FILLED
  # 49.5 of 57.5 - 0.995; 49.5 x 56.925 / 57.5 are left.
  drift 57500
  ben buy 0.001 @ 57000
  anna sell 0.001 @ 57000 IOC -> FILLED
  `,
);

/** Isolated, one lot of DUST at 1, with 20 units of margin and one available. */
const lot = `
  market DUSTUSDT ${dustTerms}
  credit anna 0.000021
  credit ben 1000
  anna mode isolated
  index 1
  anna leverage 50
  anna buy 0.001 @ 1
  ben sell 0.001 @ 1
  anna collateral 0.000001
  anna has held 0.000021 available 0
  anna sell 0.001 @ 0.979 reduceOnly id x -> NEW
`;

scenario(
  'MAR-4 BAL-4 isolated: a fee that available cannot pay counts against a position that closes',
  `
  # At 0.979 nothing is left of the 21 units, and the fee is one.
  ${lot}
  change makerFee 0.0000001 takerFee 0.0000001
  drift 0.979
  ben buy 0.001 @ 0.979 IOC -> CANCELED IOC
  anna order x status CANCELED reason MARGIN
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: available does not stand behind a position that closes',
  `
  ${lot}
  anna collateral -0.000001
  drift 0.979
  ben buy 0.001 @ 0.979 IOC -> CANCELED IOC
  anna order x status CANCELED reason MARGIN
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: a position that closes may leave nothing',
  `
  ${lot}
  drift 0.979
  ben buy 0.001 @ 0.979 IOC -> FILLED
  anna has position 0 balance 0
  `,
);

/** Isolated, three lots of DUST at 1, with 60 units of margin, which are lost at 0.98. */
const lots = `
  ${dust}
  anna leverage 50
  anna buy 0.003 @ 1
  ben sell 0.003 @ 1
`;

scenario(
  'MAR-4 MAR-7 isolated: a fill at the mark that closes a part must leave a unit, and need not leave more',
  `
  ${lots}
  anna sell 0.001 @ 0.98 reduceOnly id x -> NEW
  drift 0.98
  ben buy 0.001 @ 0.98 IOC -> CANCELED IOC
  anna order x status CANCELED reason MARGIN
  anna collateral 0.000001
  ben buy 0.001 @ 0.98
  anna sell 0.001 @ 0.98 reduceOnly IOC -> FILLED
  `,
);

scenario(
  'MAR-4e MAR-7 isolated: at the mark the fee may take more than a share of the equity',
  `
  # The fee of 8.565 leaves 2.935 of 11.5 for half of the lots: 5.75 of it are released first.
  ${long('301.5', 'makerFee 0 takerFee 0.003')}
  anna collateral 1.5
  drift 57100
  ben buy 0.05 @ 57100
  anna sell 0.05 @ 57100 IOC -> FILLED
  anna has position 0.05 held 147.935
  `,
);

scenario(
  'MAR-4e MAR-7 isolated: a loss that would leave one unit must keep the ratio, too',
  `
  # Of 2 units for a maintenance of 30 one would be left for 20. At the mark no ratio is asked for.
  ${lots}
  anna collateral 0.000002
  drift 0.98
  ben buy 0.001 @ 0.979
  anna sell 0.001 @ 0.979 reduceOnly IOC -> marginInsufficient
  ben cancelAll
  anna sell 0.001 @ 0.979 reduceOnly -> marginInsufficient
  ben buy 0.001 @ 0.98
  anna sell 0.001 @ 0.98 reduceOnly IOC -> FILLED
  `,
);

scenario(
  'MAR-4b MAR-7 isolated: on an old index a close at a loss must leave the gap margin, exact to the unit',
  `
  # 0.1 is lost of 545.363637 and what is added; 0.09 at 59990 need 539.91 and 53.991.
  market BTCUSDT ${free}
  credit anna 10000
  credit ben 100000
  anna mode isolated
  index 59990
  anna leverage 11
  anna buy 0.1 @ 59990
  ben sell 0.1 @ 59990
  anna collateral 48.637362
  ben buy 0.01 @ 59980
  after 5001
  anna sell 0.01 @ 59980 reduceOnly IOC -> marginInsufficient
  index 59990
  anna collateral 0.000001
  after 5001
  anna sell 0.01 @ 59980 reduceOnly IOC -> FILLED
  `,
);

const owingTerms = 'makerFee 0 takerFee 0.001 fundingIntervalHours 1';

/** Isolated, long 0.1 from 60000 on 300 for half an hour of a rate; a taker pays 0.1 %. */
const owing = (credit: string, rate: string, leverage = 50) => `
  after 399750
  market BTCUSDT ${owingTerms} maxFundingRate ${rate} fundingFactor ${rate}
  credit anna ${credit}
  credit mm 1000000
  house mm
  index 60000
  anna mode isolated
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  steady 60000 for 1800000 every 60000
  anna leverage ${leverage}
`;

scenario(
  'FUND-1d MAR-7 isolated: a close at a loss leaves what is owed, with what the fee leaves of available',
  `
  # 600 are owed. 5 are lost of 300, and 2.995 of 307.995 are the fee.
  ${owing('607.994999', '0.2', 20)}
  mm buy 0.05 @ 59900
  anna sell 0.05 @ 59900 IOC -> marginInsufficient
  credit anna 0.000001
  anna sell 0.05 @ 59900 IOC -> FILLED
  `,
);

scenario(
  'FUND-1d MAR-7 isolated: a close leaves what is owed after the part of the fee that available cannot pay',
  `
  # 294 are owed. 5 and 1 of the fee of 2.995 come from 300.
  ${owing('301.994999', '0.098', 20)}
  mm buy 0.05 @ 59900
  anna sell 0.05 @ 59900 IOC -> marginInsufficient
  credit anna 0.000001
  anna sell 0.05 @ 59900 IOC -> FILLED
  `,
);

scenario(
  'FUND-1d MAR-7 isolated: an opening fill leaves what is owed, with what remains of available',
  `
  # 690 are owed. 120.801 are frozen, 9.8 are added, and 6.01 are the fee: 420 and 270 remain.
  ${owing('706.610999', '0.23')}
  mm sell 0.1 @ 60100
  anna buy 0.1 @ 60100 IOC -> marginInsufficient
  credit anna 0.000001
  anna buy 0.1 @ 60100 IOC -> FILLED
  `,
);

scenario(
  'FUND-1d MAR-7 isolated: an opening fill leaves what is owed after the fee that available cannot pay',
  `
  # 587.1 are owed. 302.0025 are frozen; 300 and 300.5 lose 10, and 3.4 of the fee of 6.01.
  ${owing('604.612499', '0.1957', 20)}
  mm sell 0.1 @ 60100
  anna buy 0.1 @ 60100 IOC -> marginInsufficient
  credit anna 0.000001
  anna buy 0.1 @ 60100 IOC -> FILLED
  `,
);

scenario(
  'FUND-1d MAR-7 isolated: a flip leaves what is owed, with what the old position leaves',
  `
  # 600 are owed. 118.188 are frozen, the closed half loses 120 of 300, the opened one 120 of 117.6 and
  # of 122.4 that are added; of 434.16 299.999999 remain after that and the fee of 11.76.
  ${owing('852.347999', '0.2')}
  mm buy 0.2 @ 58800
  anna sell 0.2 @ 58800 IOC -> marginInsufficient
  credit anna 0.000001
  anna sell 0.2 @ 58800 IOC -> FILLED
  `,
);

scenario(
  'FUND-1d MAR-7 isolated: a trader that owes more than it has fills at the mark, and not a tick beyond',
  `
  # Half an hour of 90 % on 100000: 45000 of 5000.
  after 399750
  market DUSTUSDT ${dustTerms} fundingIntervalHours 1 maxFundingRate 0.9 fundingFactor 0.9
  credit anna 5000
  credit mm 1000000
  house mm
  index 1
  anna mode isolated
  anna leverage 50
  anna buy 100000 @ 1
  mm sell 100000 @ 1
  steady 1 for 1800000 every 60000
  mm sell 0.001 @ 1.001
  anna buy 0.001 @ 1.001 -> marginInsufficient
  mm cancelAll
  mm sell 0.001 @ 1
  anna buy 0.001 @ 1 -> FILLED
  mm buy 0.001 @ 0.999
  anna sell 0.001 @ 0.999 reduceOnly IOC -> marginInsufficient
  mm cancelAll
  mm buy 0.001 @ 1
  anna sell 0.001 @ 1 reduceOnly IOC -> FILLED
  `,
);

scenario(
  'FUND-1d MAR-7 isolated: a flip of one lot leaves what is owed with what the lot leaves',
  `
  # 450 units are owed. 499 of 500 are left behind the closed lot.
  after 399750
  market DUSTUSDT ${dustTerms} fundingIntervalHours 1 maxFundingRate 0.9 fundingFactor 0.9
  credit anna 0.00056
  credit mm 1000000
  house mm
  index 1
  anna mode isolated
  anna buy 0.001 @ 1
  mm sell 0.001 @ 1
  anna collateral 0.00045
  steady 1 for 1800000 every 60000
  mm buy 0.002 @ 0.999
  anna sell 0.002 @ 0.999 -> FILLED
  `,
);
