// The one order in which an account pays (BAL-4). The markets take no fees here unless said so.

import { expect, test } from 'vitest';
import { positionIn } from '../../src/engine/account.ts';
import { assertCommandConserves } from '../../src/engine/clearing/conservation.ts';
import { debitFee, debitLoss, payRebate } from '../../src/engine/clearing/debit.ts';
import { post } from '../../src/engine/clearing/ledger.ts';
import type { MarketId, Money } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { free } from './stages.ts';
import { accountOf, createWorld, evenLedgers, type World } from './world.ts';

/** Anna, with 600, is long 0.1 BTC (300 of collateral), 1 ETH (150) and 30 AVAX (30). */
const threeLongs = `
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  market AVAXUSDT ${free} maxLeverage 25
  credit anna 600
  credit ben 10000
  index 60000
  index ETHUSDT 3000
  index AVAXUSDT 20
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  anna buy AVAXUSDT 30 @ 20
  ben sell AVAXUSDT 30 @ 20
`;

scenario(
  'BAL-4 a debit takes available first, then the collateral of the rest of its position',
  `
  # Anna has 600: 300 hold 0.1 BTC, 244.215 freeze a bid at 54000 (4860 / 20 x 1.005), 55.785 are
  # available. At 55000 she sells half: a loss of 250. The fill returns 150 of collateral; 205.785
  # are available, 44.215 come from the 150 that hold the other half.
  market BTCUSDT ${free}
  credit anna 600
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.09 @ 54000 id bid
  anna has available 55.785 freezes 244.215 collateral 300
  index 55000
  ben buy 0.05 @ 55000
  anna sell 0.05 @ 55000 reduceOnly -> FILLED
  anna has position 0.05 held 105.785 available 0 freezes 244.215 balance 350
  anna order bid status NEW
  `,
);

scenario(
  'BAL-4 the third source is unrealised profit, realised at the mark, largest first, as far as needed',
  `
  # BTC 0.1 long (300), ETH 1 long (150), AVAX 30 long (30), 120 available. BTC falls to 54000: a
  # loss of 600; ETH is 500 up, AVAX 300 up. After available and collateral 180 are missing: they come from
  # ETH, whose entry notional rises from 3000 to 3180. AVAX is not touched.
  ${threeLongs}
  anna has available 120 collateral 480
  drift ETHUSDT 3500
  drift AVAXUSDT 30
  index 54000
  anna has equity 800
  ben buy 0.1 @ 54000
  anna sell 0.1 @ 54000 reduceOnly -> FILLED
  anna has available 0 balance 180 equity 800
  anna has ETHUSDT entry 3180 held 150
  anna has AVAXUSDT entry 600 held 30
  `,
);

scenario(
  'BAL-4 when the profit of one position is too little, the next largest follows',
  `
  # As before, but ETH is 100 up and AVAX 90: of the 180 that are missing 100 and 80.
  ${threeLongs}
  drift ETHUSDT 3100
  drift AVAXUSDT 23
  drift 54000
  ben buy 0.1 @ 54000
  anna sell 0.1 @ 54000 reduceOnly -> FILLED
  anna has available 0 balance 180 equity 190
  anna has ETHUSDT entry 3100
  anna has AVAXUSDT entry 680
  `,
);

scenario(
  'BAL-4 the fourth source is the freezes of open orders, which are cancelled, newest first',
  `
  # 500: 300 hold 0.1 BTC, a BTC bid of 0.02 at 50000 and an ETH bid of 1 at 1000 freeze 50.25 each,
  # 99.5 are available. Sold at 55510 BTC loses 449: 49.5 are missing; the newer bid pays them, whatever its
  # market, and the older one stays.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 500
  credit ben 10000
  index 60000
  index ETHUSDT 3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.02 @ 50000 id older
  anna buy ETHUSDT 1 @ 1000 id newer
  drift 55510
  ben buy 0.1 @ 55510
  anna sell 0.1 @ 55510 reduceOnly -> FILLED
  anna order newer status CANCELED reason MARGIN
  anna order older status NEW
  anna has balance 51 available 0.75 freezes 50.25
  `,
);

scenario(
  'BAL-4 the fifth source is the collateral of the other positions',
  `
  # 460: BTC 300, ETH 150, 10 available. BTC sold at 56000 loses 400: 90 come from ETH.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 460
  credit ben 10000
  index 60000
  index ETHUSDT 3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  index 56000
  ben buy 0.1 @ 56000
  anna sell 0.1 @ 56000 reduceOnly -> FILLED
  anna has balance 60 available 0 collateral 60
  anna has ETHUSDT held 60 entry 3000
  `,
);

scenario(
  'BAL-4 a maker whose remaining order its own debit cancels stops matching at once',
  `
  # Mia has 1000: BTC 300 of collateral, ETH 150, and an ask of 0.2 BTC at 54000 of which 0.1 opens
  # (271.35). 278.65 are available. Placed while ETH was 500 up, filled when it is not: the first
  # tenth closes at a loss of 600, 578.65 are there, the rest of her ask pays what is missing.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit mia 1000
  credit ben 10000
  credit cleo 10000
  index 60000
  index ETHUSDT 3000
  mia buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  mia buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  index 54000
  index ETHUSDT 3250
  index ETHUSDT 3500
  mia has equity 900
  mia sell 0.2 @ 54000 id ask
  mia order ask cover 0.1 freeze 271.35
  mia has available 278.65
  index ETHUSDT 3250
  index ETHUSDT 3000
  cleo buy 0.1 @ 54000 -> FILLED
  mia order ask status CANCELED reason MARGIN filled 0.1
  mia has position 0 balance 400 available 250 collateral 150
  book bids asks
  `,
);

scenario(
  'BAL-4 a taker whose order its own debit cancels stops matching at once',
  `
  # Anna has 1000: BTC 300, an ETH bid of 10 at 1000 freezes 502.5, 197.5 available. At 54000 she
  # sells her 0.1 into three bids. The first half loses 300: 47.5 are left. The next 0.04 lose 240:
  # 167.5 are there and 30 that hold the last lots; then her own order, the newest, is cancelled (it
  # freezes nothing), then the bid.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 1000
  credit ben 10000
  index 60000
  index ETHUSDT 3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 10 @ 1000 id bid
  index 54000
  ben buy 0.05 @ 54000
  ben buy 0.04 @ 54000
  ben buy 0.01 @ 54000 id last
  anna sell 0.1 @ 54000 reduceOnly IOC id x -> CANCELED MARGIN
  anna order x filled 0.09
  anna order bid status CANCELED reason MARGIN
  ben order last status NEW
  anna has position 0.01 balance 460 held 0 available 460
  `,
);

scenario(
  'BAL-4 BAL-4a LIQ-1 the debit of a liquidation fill does not stop the closing order of the exchange',
  `
  # Anna has 421.5: 120 hold 0.1 BTC, 300 hold 0.1 ETH, 1.5 are available. At 56300 she has 51.5 of 56.3
  # + 3. Her first half loses 185: 60 come back, 60 hold the other half, 63.5 are taken of ETH, after
  # her orders, among which the one that sells does not count. The second half loses 190, the fee is
  # 0.5 % of 5625.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 421.5
  credit ben 10000
  credit cleo 10000
  index 60000
  index ETHUSDT 3000
  anna leverage 50
  anna leverage ETHUSDT 1
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 0.1 @ 3000
  ben sell ETHUSDT 0.1 @ 3000
  anna has available 1.5 collateral 420
  cleo buy 0.05 @ 56300
  cleo buy 0.05 @ 56200
  index 56300
  liquidated anna cleo 0.05@56300 anna cleo 0.05@56200
  charged anna 28.125
  anna has position 0 available 0 balance 18.375
  anna has ETHUSDT held 18.375
  `,
);

// The fill check keeps every trading account above zero (MAR-4), so a fill never reaches what
// follows; the test calls the debit directly.
function poorWorld(): World {
  return play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 5
    index 60000
    `,
  );
}

test('BAL-4 the fund pays the unpaid amount of a loss, and the rest becomes shortfall', () => {
  const world = poorWorld();
  const { exchange } = world;
  const anna = accountOf(world, 'anna');
  const position = positionIn(anna, 0 as MarketId);
  // The fund has 2 of the 3 that are unpaid of a loss of 8. Another account wins what Anna loses.
  play(world, 'credit ben 10\ninsurance 2');
  const ben = accountOf(world, 'ben');
  const loss = { amount: 8_000_000 as Money, released: 0 as Money };
  debitLoss(exchange, anna, position, loss);
  post(exchange, ben, 'available', 8_000_000 as Money);
  assertCommandConserves(exchange);
  evenLedgers(world);
  play(world, 'anna has balance 0\nfunds insurance 0 shortfall 1\nben has balance 18');
  const covered = world.events.find(({ kind }) => kind === 'lossCovered');
  expect(covered).toMatchObject({ fund: 2_000_000, shortfall: 1_000_000 });
});

test('BAL-4 the unpaid amount of a fee is waived, and a rebate never exceeds the fee collected', () => {
  const world = poorWorld();
  const { exchange } = world;
  const anna = accountOf(world, 'anna');
  const position = positionIn(anna, 0 as MarketId);
  const collected = debitFee(exchange, anna, position, 6_000_000 as Money);
  expect(collected).toBe(5_000_000);
  evenLedgers(world);
  play(world, 'credit ben 1');
  const due = 5_500_000 as Money;
  const ben = accountOf(world, 'ben');
  const other = positionIn(ben, 0 as MarketId);
  expect(payRebate(exchange, ben, other, { due, collected })).toBe(5_000_000);
  expect(payRebate(exchange, anna, position, { due, collected: 0 as Money })).toBe(0);
  assertCommandConserves(exchange);
  evenLedgers(world);
  play(world, 'anna has balance 0\nben has balance 6\nfunds feeRevenue 0');
});
