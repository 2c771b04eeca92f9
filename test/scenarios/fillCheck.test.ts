// The guard (MAR-4): at acceptance and at every fill, for both sides.

import { scenario } from './scenario.ts';

scenario(
  'MAR-4 marginInsufficient: losses, fee and freezes count against equity at acceptance',
  `
  # A bid of 0.1 at 63000, mark 60000: loss 300, maker fee 1.26, freeze 6300 / 20 x 1.005 = 316.575.
  # 617.835 in all, although available would need 316.575 only.
  market BTCUSDT
  credit anna 617.834999
  credit ben 617.835
  index 60000
  anna buy 0.1 @ 63000 -> marginInsufficient
  ben buy 0.1 @ 63000 -> NEW
  # An ask below the mark is judged the same way: 300 + 1.14 + 286.425.
  ben cancelAll
  credit cleo 587.564999
  cleo sell 0.1 @ 57000 -> marginInsufficient
  `,
);

scenario(
  'MAR-4 a bid below the mark and an ask above it have no loss',
  `
  # Freeze 296.475 and fee 1.18 for 0.1 at 59000.
  market BTCUSDT
  credit anna 297.654999
  credit ben 297.655
  index 60000
  anna buy 0.1 @ 59000 -> marginInsufficient
  ben buy 0.1 @ 59000 -> NEW
  `,
);

scenario(
  'MAR-4 the maintenance of positions and the freezes of other orders count at acceptance',
  `
  # Ben is long 0.1 with 700 - 3 of fee: maintenance 60, another bid of 0.1 at 59000 freezes 296.475.
  # A third one would need 60 + 2 x 296.475 + 1.18: 654.13. At a mark of 59571.2 his equity is
  # 697 - 42.88 = 654.12; maintenance 59.5712; so he needs 653.7012 and may. At 59560 he has 653 and
  # needs 653.69.
  market BTCUSDT
  credit anna 10000
  credit ben 700
  index 60000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  ben buy 0.1 @ 59000
  ben has available 100.525 freezes 296.475 equity 697 maintenance 60
  # Available alone would be too little; a lower leverage is not needed to see the guard.
  ben leverage 50
  # 5900 / 50 x 1.005 = 118.59 > 100.525
  ben buy 0.1 @ 59000 -> marginInsufficient
  ben buy 0.08 @ 59000 id y
  # 4720 / 50 x 1.005 = 94.872; fee 0.944. Equity 697 at 60000 covers 60 + 296.475 + 94.872.
  ben order y freeze 94.872
  ben cancel y
  # At 57552.9 equity is 452.29: 57.5529 + 296.475 + 94.872 + 0.944 + the loss of 0.08 x 1447.1 =
  # 115.768 are 565.6119.
  index 57552.9
  ben has equity 452.29 maintenance 57.5529
  ben buy 0.08 @ 59000 -> marginInsufficient
  # At 57000 itself no loss: 0.08 x 57000 / 50 x 1.005 = 91.656, fee 0.912: 446.5959 in all.
  ben buy 0.08 @ 57000 -> NEW
  `,
);

scenario(
  'MAR-4 a maker that fails at the fill is cancelled, and matching goes on',
  `
  # Mia has 400. Her bid at 60000 would lose 350 at a mark of 56500: 48.8 after the fee, below the
  # maintenance of 56.5. At 56700 she would keep 68.8 against 56.7.
  market BTCUSDT
  credit mia 400
  credit dan 1000
  credit cleo 10000
  index 60000
  mia buy 0.1 @ 60000 id m
  index 56500
  dan buy 0.1 @ 56500
  cleo sell 0.1 @ 56000 -> FILLED
  trades 0.1@56500
  mia order m status CANCELED reason MARGIN filled 0
  mia has available 400 freezes 0
  `,
);

scenario(
  'MAR-4 a maker that passes the fill check is filled and books its loss',
  `
  market BTCUSDT
  credit mia 400
  credit cleo 10000
  index 60000
  mia buy 0.1 @ 60000 id m
  index 56700
  cleo sell 0.1 @ 56000 -> FILLED
  trades 0.1@60000
  mia has position 0.1 equity 68.8 maintenance 56.7
  `,
);

scenario(
  'MAR-4 a taker that fails stops with the reason MARGIN, and the maker stays unchanged',
  `
  # The second ask is 10000 above the mark: for 0.1 a loss of 1000 that Anna does not have.
  market BTCUSDT priceBand 0.2
  credit anna 1000
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  ben sell 0.1 @ 70000 id far
  anna buy 0.2 @ 70000 id x -> CANCELED MARGIN
  anna order x filled 0.1
  ben order far status NEW open 0.1
  book bids asks 0.1@70000
  `,
);

scenario(
  'MAR-4a marginInsufficient: an order that cannot fill anything without more margin is rejected',
  `
  # Anna has nothing, Cleo 500: a sale 5000 below the mark, two of them, would lose 1000.
  market BTCUSDT priceBand 0.2
  credit anna 1
  credit cleo 500
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  ben buy 0.2 @ 57000
  anna buy 0.1 market -> marginInsufficient
  anna buy 0.1 @ 60000 -> marginInsufficient
  anna buy 0.1 @ 60000 IOC -> marginInsufficient
  anna buy 0.1 @ 60000 FOK -> marginInsufficient
  # A FOK of which a part could fill fills nothing.
  ben sell 0.1 @ 70000
  cleo buy 0.2 @ 70000 FOK -> marginInsufficient
  # A modified order stays as it was.
  ben cancelAll
  cleo buy 0.05 @ 59000 id bid -> NEW
  ben sell 0.2 @ 70000
  cleo modify bid 0.2 @ 70000 -> marginInsufficient
  cleo order bid status NEW open 0.05
  book bids 0.05@59000 asks 0.2@70000
  `,
);

scenario(
  'MAR-4 MAR-4a an order that only reduces needs equity above zero, or not below when flat',
  `
  # No fees, leverage 50. Long 0.1 from 60000 with 150: at 58500 the equity is exactly 0. Half of the
  # position is not let go (0 is not above 0), nor the first half of two; all at once is. At a
  # tenth of a USDT below, the loss of 0.01 is too much.
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 150
  credit ben 10000
  index 60000
  anna leverage 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  drift 58500
  anna has equity 0
  ben buy 0.05 @ 58500
  anna sell 0.05 @ 58500 reduceOnly IOC -> marginInsufficient
  ben buy 0.05 @ 58500
  anna sell 0.1 @ 58500 reduceOnly IOC -> marginInsufficient
  ben cancelAll
  ben buy 0.1 @ 58499.9
  anna sell 0.1 @ 58499.9 reduceOnly IOC -> marginInsufficient
  ben cancelAll
  ben buy 0.1 @ 58500
  anna sell 0.1 @ 58500 reduceOnly IOC -> FILLED
  anna has position 0 balance 0
  `,
);

scenario(
  'MAR-4 a flat account is flat in every market',
  `
  # As above, but with a position in ETH besides: equity 0 would not be left flat.
  market BTCUSDT makerFee 0 takerFee 0
  market ETHUSDT makerFee 0 takerFee 0
  credit anna 160
  credit ben 10000
  index 60000
  index ETHUSDT 3000
  anna leverage 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 0.1 @ 3000
  ben sell ETHUSDT 0.1 @ 3000
  drift 58400
  anna has equity 0
  ben buy 0.1 @ 58400
  anna sell 0.1 @ 58400 reduceOnly IOC -> marginInsufficient
  # 0.01 of equity and 0.01 of loss against the mark: the fill does not happen.
  drift 58400.1
  anna sell 0.1 @ 58400 reduceOnly IOC -> marginInsufficient
  drift ETHUSDT 3000.01
  anna has equity 0.011
  anna sell 0.1 @ 58400 reduceOnly IOC -> FILLED
  anna has position 0 equity 0.001
  `,
);

scenario(
  'MAR-4 a covered order counts as only reducing at acceptance',
  `
  # Equity 0.01 at 58500.1: an uncovered order is refused, a covered one is not.
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 150
  credit ben 10000
  index 60000
  anna leverage 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  drift 58500.1
  anna buy 0.001 @ 50000 -> marginInsufficient
  anna sell 0.101 @ 59000 -> marginInsufficient
  anna sell 0.1 @ 59000 -> NEW
  `,
);

scenario(
  'MAR-4b on an index older than 5 s an opening fill must leave 10 % of notional besides maintenance',
  `
  # 520 carry 1 % and 10 % of 0.078 x 60000, 514.8, not of 0.079, 521.4. At 5 s Dora still opens 0.3.
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 520
  credit dora 520
  credit ben 10000
  index 60000
  anna leverage 50
  dora leverage 50
  ben buy 1 @ 60000
  after 5000
  dora sell 0.3 @ 60000 -> FILLED
  after 1
  shows live false restriction none
  anna sell 0.079 @ 60000 -> marginInsufficient
  anna sell 0.078 @ 60000 -> FILLED
  # The whole position counts, not the part that is added; a flip counts with what it leaves.
  anna sell 0.001 @ 60000 -> marginInsufficient
  ben cancelAll
  ben sell 0.3 @ 60000
  anna buy 0.157 @ 60000 IOC -> marginInsufficient
  anna buy 0.156 @ 60000 -> FILLED
  anna has position 0.078
  # Dora, who has less than that, may reduce.
  dora buy 0.1 @ 60000 -> FILLED
  ben cancelAll
  # With the next price it is as ever.
  index 60000
  ben sell 0.2 @ 60000
  anna buy 0.2 @ 60000 -> FILLED
  `,
);

scenario(
  'MAR-4b a maker whose fill would leave less is cancelled, and matching goes on',
  `
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 520
  credit ben 10000
  credit cleo 10000
  index 60000
  anna leverage 50
  anna buy 0.079 @ 60000 id hers
  cleo buy 0.079 @ 60000 id next
  after 5001
  ben sell 0.079 @ 60000 -> FILLED
  anna order hers status CANCELED reason MARGIN filled 0
  cleo order next status FILLED
  `,
);

/** Anna short 1 ETH, 90 down, and 0.501 DUST; she bids for 0.1 BTC at the mark. */
const exact = (credit: string) => `
  market BTCUSDT makerFee 0 takerFee 0
  market ETHUSDT makerFee 0 takerFee 0
  market DUSTUSDT makerFee 0 takerFee 0 minOrderSize 0.000001
  credit anna ${credit}
  credit ben 100000
  tick BTCUSDT=60000 ETHUSDT=3000 DUSTUSDT=1.003
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna sell ETHUSDT 1 @ 3000
  ben buy ETHUSDT 1 @ 3000
  anna sell DUSTUSDT 0.501 @ 1.003
  ben buy DUSTUSDT 0.501 @ 1.003
  anna buy 0.1 @ 60000 id x
  drift ETHUSDT 3090
  ben sell 0.1 @ 60000
`;

scenario(
  'MAR-4 UNIT-3 equity equal to Σ maintenance, each part rounded up, is enough for a fill',
  `
  # 60 + 30.9 + 0.00502503, up.
  ${exact('180.905026')}
  anna order x status FILLED
  anna has equity 90.905026 maintenance 90.905026
  `,
);

scenario(
  'MAR-4 UNIT-3 equity one unit below Σ maintenance is not enough for a fill',
  `
  ${exact('180.905025')}
  anna order x status CANCELED reason MARGIN filled 0
  `,
);
