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
  'MAR-4 MAR-9 the initial margin of positions and the freezes of other orders count at acceptance',
  `
  # Ben is long 0.1 with 700 - 3 of fee, and a bid of 0.1 at 59000 freezes 296.475. At 59900 his
  # equity is 687; his position needs 300 x 59900 / 60000 = 299.5, so 91.025 are left for an order.
  market BTCUSDT
  credit anna 10000
  credit ben 700
  index 60000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  ben buy 0.1 @ 59000
  ben has available 100.525 freezes 296.475 equity 697 usable 100.525
  index 59900
  ben has available 100.525 equity 687 usable 91.025
  ben leverage 50
  # 4720 / 50 x 1.005 = 94.872 are available; 4484 / 50 x 1.005 = 90.1284 and a fee of 0.8968.
  ben buy 0.08 @ 59000 -> marginInsufficient
  ben buy 0.076 @ 59000 -> marginInsufficient
  credit ben 0.000199
  ben buy 0.076 @ 59000 -> marginInsufficient
  credit ben 0.000001
  ben buy 0.076 @ 59000 id y -> NEW
  ben order y freeze 90.1284
  `,
);

scenario(
  'MAR-4 a maker that fails at the fill is cancelled, and matching goes on',
  `
  # Mia has 400. Her bid at 60000 would lose 104.01 at a mark of 58959.9: 294.79 after the fee, below
  # the initial margin of 294.7995. At 58960 she would keep 294.8 against 294.8.
  market BTCUSDT
  credit mia 400
  credit dan 1000
  credit cleo 10000
  index 60000
  mia buy 0.1 @ 60000 id m
  index 58959.9
  dan buy 0.1 @ 58900
  cleo sell 0.1 @ 58000 -> FILLED
  trades 0.1@58900
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
  index 58960
  cleo sell 0.1 @ 58000 -> FILLED
  trades 0.1@60000
  mia has position 0.1 equity 294.8 maintenance 58.96 usable 0
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
  'MAR-9 UNIT-3 equity equal to Σ initial margin, each part rounded up, is enough for a fill',
  `
  # 6000 / 50, 60 x 3090 / 3000, and 0.502503 / 20 rounded up.
  ${exact('271.825126')}
  anna order x status FILLED
  anna has equity 181.825126 maintenance 90.905026 usable 0
  `,
);

scenario(
  'MAR-9 UNIT-3 equity one unit below Σ initial margin is not enough for a fill',
  `
  ${exact('271.825125')}
  anna order x status CANCELED reason MARGIN filled 0
  `,
);

scenario(
  'ORD-2c marginInsufficient: an order that could fill nothing without more margin is rejected by every route',
  `
  # Anna's 0.1 stand on 71.5 at 57700 and leverage 20: a price below 56985 is beyond her bankruptcy
  # price, and nothing can be added.
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 301.5
  credit ben 100000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 57700
  ben buy 0.05 @ 56500
  anna sell 0.05 @ 56500 reduceOnly -> marginInsufficient
  anna sell 0.05 @ 56500 -> marginInsufficient
  anna sell 0.05 @ 56500 IOC -> marginInsufficient
  anna sell 0.05 @ 56500 FOK -> marginInsufficient
  anna sell 0.05 market -> marginInsufficient
  anna test sell 0.05 market -> marginInsufficient
  anna sell 0.05 @ 58000 reduceOnly id ask -> NEW
  anna modify ask 0.05 @ 56500 -> marginInsufficient
  anna order ask status NEW
  anna cancel ask
  # One that would rest there is not accepted for a later cancellation.
  ben cancelAll
  anna sell 0.05 @ 56500 reduceOnly GTX -> marginInsufficient
  anna buy 0.01 @ 57000 -> marginInsufficient
  # A trigger says why it failed.
  ben buy 0.05 @ 56500
  anna trigger buy 0.01 STOP_MARKET stop 57750 id stop
  ben sell 0.01 @ 57750
  index 57750
  anna trigger stop status FAILED failure marginInsufficient
  `,
);
