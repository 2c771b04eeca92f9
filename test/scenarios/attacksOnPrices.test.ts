// A person with several accounts uses the prices of the exchange: moves the mark, or knows the next
// index. Each scenario ends with the person's total wealth. There are no trading fees, and the
// person chooses every price that a client can choose. attacks.test.ts has the other attacks.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

const feeless = `${free} liquidationFeeRate 0 fundingFactor 0`;

scenario(
  'PRC-1 LIQ-1 attack: a mark moved by trades and quotes of one person liquidates no account',
  `
  # Dan, honest, is short 0.1 from 60000 with 660: at 60000 he stands far off; the index comes to
  # 65880, where he has 72 of 65.88. Ava and Bob trade with each other 1 % above, again and again,
  # and quote there: after 75 s the premium is 0.33 %, but the mark ends at the clamp of 0.25 %:
  # 66044.7. There Dan has 55.53 of 66.04, and yet the index holds: nothing happens to him.
  market BTCUSDT ${free}
  credit dan 660
  credit eve 100000
  credit ava 100000
  credit bob 100000
  index 60000
  dan sell 0.1 @ 60000
  eve buy 0.1 @ 60000
  index 65880
  steady 65880 for 61000
  ava buy 1 @ 66539
  bob sell 0.1 @ 66539
  bob sell 1 @ 66540
  after 74750
  index 65880
  mark 66044.7
  dan has equity 55.53 maintenance 66.0447 flagged no position -0.1
  ava cancelAll
  bob cancelAll
  # He goes out of it again with himself; not a unit came of it.
  bob buy 0.1 @ 66044
  ava sell 0.1 @ 66044
  index 65880
  ava has position 0
  bob has position 0
  wealth ava bob 200000
  dan has position -0.1 flagged no
  `,
);

scenario(
  'PRC-1 BAL-1 attack: profit from a moved mark cannot be withdrawn',
  `
  # Ava long, Bob short 1 from 60000; the mark is brought to 60150 by quotes. Ava's 150 are no
  # balance: 10000 - max(3000, 6015) may leave her; Bob's -150 count.
  market BTCUSDT ${free}
  credit ava 10000
  credit bob 10000
  index 60000
  ava buy 1 @ 60000
  bob sell 1 @ 60000
  ava buy 0.001 @ 60500
  bob sell 0.001 @ 60600
  after 74750
  index 60000
  mark 60150
  ava cancelAll
  bob cancelAll
  ava has withdrawable 4135
  bob has withdrawable 3835
  ava withdraw 4135
  bob withdraw 3835
  ava withdraw 0.000001 -> balanceInsufficient
  index 60000
  wealth ava bob 20000
  bob buy 1 @ 60000
  ava sell 1 @ 60000
  wealth ava bob 20000
  funds insurance 0 shortfall 0
  `,
);

scenario(
  'MAR-8 PRC-2 attack: money withdrawn before a loss leaves enough for the largest move of a tick',
  `
  # Ava long 0.1 from 60000 with 1000: 1000 - max(300, 600) may leave. The next index is 10 % lower,
  # the most that the gate lets through: a loss of 600; with 200 less to pay, nothing is missing.
  market BTCUSDT ${feeless}
  credit ava 1000
  credit bob 10000
  insurance 1000
  index 60000
  ava buy 0.1 @ 60000
  bob sell 0.1 @ 60000
  ava withdraw 400.000001 -> balanceInsufficient
  ava withdraw 400
  index 53999.9
  # Refused: it jumps too far.
  ava has equity 600
  index 54000
  ava has balance 0 position 0
  wealth ava 400
  wealth bob 10600
  funds insurance 1000 shortfall 0
  `,
);

/** A fund of 100,000, and two accounts of the same person with 520 each. */
const pair = `
  market BTCUSDT ${feeless} priceBand 0.99
  credit ava 520
  credit bob 520
  insurance 100000
  index 60000
  ava leverage 50
  bob leverage 50
`;

scenario(
  'PRC-2b attack: while a jump is unconfirmed no order opens a position on the old mark',
  `
  # Opened at 60000 against each other, 0.42 would be 5,040 down and up two ticks later: the fund
  # would take Ava's over at 58762, and of 1,040 there would be 5,560.
  ${pair}
  index 48000
  shows index 60000 pending 1
  ava buy 0.42 @ 60000 -> priceUnavailable
  bob sell 0.42 @ 60000 -> priceUnavailable
  prices sim=48000 after 1000
  ava buy 0.42 @ 60000 -> priceUnavailable
  prices sim=48000 after 1000
  shows index 48000
  takenOver
  wealth ava bob atMost 1040
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'PRC-2b attack: with two sources the jump of the first alone already forbids opening orders',
  `
  ${pair
    .replace('index 60000', 'prices a=60000 b=60000')
    .replace('market BTCUSDT', 'market BTCUSDT indexSources a:1,b:1')}
  # Of 48000 and 60000 the mean would be believed: 10 % lower. This is a little more.
  prices a=47900
  shows index 60000 pending 1
  ava buy 0.42 @ 60000 -> priceUnavailable
  prices b=47900
  shows index 47900
  wealth ava bob atMost 1040
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4b attack: on a price that is 29 s old no order opens a position that the next price ruins',
  `
  # 0.42 would be 2,520 down and up at 54000, as far as the next tick may go: of 1,040 there would be
  # 3,040. What 520 may open by 11 %, 0.078, loses 468 and stands.
  ${pair}
  after 29000
  shows restriction none
  ava buy 0.42 @ 60000
  bob sell 0.42 @ 60000 -> marginInsufficient
  ava cancelAll
  ava buy 0.078 @ 60000
  bob sell 0.078 @ 60000 -> FILLED
  index 54000
  takenOver
  ava has equity 52 maintenance 42.12 flagged no
  wealth ava bob atMost 1040
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4b attack: on an old price a maker that cannot bear the next price is cancelled',
  `
  # Cyd, of the same person, is rich: Ava's bid is cancelled, not filled.
  ${pair}
  credit cyd 10000
  ava buy 0.42 @ 60000 id bid
  after 29000
  cyd sell 0.42 @ 60000 -> NEW
  ava order bid status CANCELED reason MARGIN
  index 54000
  wealth ava bob cyd atMost 11040
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4b attack: on an old mark no person opens through a cheap sale to the same person',
  `
  # As above, 0.078 each. Ava then sells 0.009 to Bob at 2250: a loss of 519.75 against the mark, of
  # 520. It would leave her 0.25 for the 0.069 that remain, which need 455.4.
  ${pair}
  after 29000
  ava buy 0.078 @ 60000
  bob sell 0.078 @ 60000 -> FILLED
  bob buy 0.009 @ 2250 reduceOnly
  ava sell 0.009 @ 2250 IOC -> marginInsufficient
  ava has position 0.078
  index 54000
  wealth ava bob atMost 1040
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4b attack: a bid from before an unconfirmed jump cannot take over a position at the old mark',
  `
  # Cyd, rich, is long 0.42; Ava's bid of 0.42 rests. 48000 comes and waits: Cyd would sell at 60000
  # what is worth 48000, and Ava's 520 would not bear it. Her bid is cancelled, and Cyd keeps his.
  ${pair}
  credit cyd 10000
  cyd buy 0.42 @ 60000
  bob sell 0.42 @ 60000
  ava buy 0.42 @ 60000 id bid
  index 48000
  cyd sell 0.42 @ 60000 IOC -> CANCELED IOC
  ava order bid status CANCELED reason MARGIN
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4b attack: a bid that can bear 10 % is cancelled when the pending jump is larger',
  `
  # As above, with 4000, which are 11 % of 0.42 at 60000 and more. 48000 would cost 5040.
  ${pair.replaceAll('520', '4000')}
  credit cyd 10000
  cyd buy 0.42 @ 60000
  bob sell 0.42 @ 60000
  ava buy 0.42 @ 60000 id bid
  index 48000
  cyd sell 0.42 @ 60000 IOC -> CANCELED IOC
  ava order bid status CANCELED reason MARGIN
  funds insurance 100000 shortfall 0
  `,
);

/** Ava, with 61000, is long 1 BTC against Eve; Bob, of the same person, has nothing in BTC. */
const heldElsewhere = `
  market BTCUSDT ${feeless}
  market ETHUSDT ${feeless} priceBand 0.99
  credit ava 61000
  credit bob 100000
  credit eve 100000
  insurance 100000
  index 60000
  index 3000 ETHUSDT
  ava leverage 50
  ava leverage 50 ETHUSDT
`;

scenario(
  'MAR-4c attack: while a jump is unconfirmed no account loses its cost to another in other markets',
  `
  # 42000 will cost her 18000. At 5450 she would lose 49000 in ETH to Bob before, and leave -6000 to
  # the fund. 61000 - 41800 leave 18000 and the 600 + 600 of maintenance.
  ${heldElsewhere}
  eve sell 1 @ 60000
  ava buy 1 @ 60000 -> FILLED
  index 42000
  shows index 60000 pending 1
  bob sell 20 @ 5450 ETHUSDT
  ava buy 20 @ 5450 IOC ETHUSDT -> marginInsufficient
  bob cancelAll ETHUSDT
  bob sell 20 @ 5090.01 ETHUSDT
  ava buy 20 @ 5090.01 IOC ETHUSDT -> marginInsufficient
  bob sell 20 @ 5090 ETHUSDT
  ava buy 20 @ 5090 IOC ETHUSDT -> FILLED
  prices sim=42000 after 1000
  prices sim=42000 after 1000
  shows index 42000
  ava has equity 1200 maintenance 1020 flagged no
  wealth ava bob 143000
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4c attack: the same holds for closing below the mark there and for a maker',
  `
  # She is long 10 ETH too. 61000 - 42400 leave 18600: 18000 and the 600 of maintenance in BTC.
  ${heldElsewhere}
  eve sell 1 @ 60000
  ava buy 1 @ 60000 -> FILLED
  eve sell 20 @ 3000 ETHUSDT
  ava buy 20 @ 3000 ETHUSDT -> FILLED
  index 42000
  bob buy 20 @ 879.99 ETHUSDT
  ava sell 20 @ 879.99 IOC ETHUSDT -> marginInsufficient
  bob cancelAll ETHUSDT
  ava sell 20 @ 879.99 reduceOnly id ask ETHUSDT
  bob buy 20 @ 879.99 IOC ETHUSDT -> CANCELED IOC
  ava order ask status CANCELED reason MARGIN
  bob buy 20 @ 880 ETHUSDT
  ava sell 20 @ 880 IOC ETHUSDT -> FILLED
  # What does not lose is not asked.
  ava has position 0 ETHUSDT
  prices sim=42000 after 1000
  prices sim=42000 after 1000
  ava has equity 600 maintenance 420 flagged no
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4c on an index older than 5 s a position keeps its 10 % when its account opens or loses elsewhere',
  `
  # 6000 for 1 BTC, and 600 + 600 of maintenance: 61000 - 7200 may be lost on 20 ETH.
  ${heldElsewhere}
  eve sell 1 @ 60000
  ava buy 1 @ 60000 -> FILLED
  after 5001
  index 3000 ETHUSDT
  shows live false
  bob sell 20 @ 5690.01 ETHUSDT
  ava buy 20 @ 5690.01 IOC ETHUSDT -> marginInsufficient
  bob sell 20 @ 5690 ETHUSDT
  ava buy 20 @ 5690 IOC ETHUSDT -> FILLED
  ava has equity 7200
  # 600 more may be lost by closing, down to the 6600 of BTC; at the mark a close asks for nothing.
  bob buy 10 @ 2939.99 ETHUSDT
  ava sell 10 @ 2939.99 IOC ETHUSDT -> marginInsufficient
  bob cancelAll ETHUSDT
  bob buy 10 @ 2940 ETHUSDT
  ava sell 10 @ 2940 IOC ETHUSDT -> FILLED
  ava has equity 6600
  bob buy 4 @ 3000 ETHUSDT
  ava sell 4 @ 3000 IOC ETHUSDT -> FILLED
  `,
);

scenario(
  'LIQ-3 attack: remaining risk: a gap of 10 % between two ticks costs the fund at most 1/37',
  `
  # Opened on a live price and held until a tick is 10 % lower: 10,400 carry 8.4, and at 54000 Ava is
  # at -40,000: 58762. The fund takes t with 4 x 54000 t + 4762 t <= 100,000: 0.452, and bears 4762 x
  # 0.452 = 2152.424; the rest is Bob's own, closed where what is left of Ava's ends.
  ${pair.replaceAll('520', '10400')}
  ava buy 8.4 @ 60000
  bob sell 8.4 @ 60000
  index 54000
  takenOver ava 0.452@58762
  deleveraged ava bob 7.948@58761.9
  fund has equity 97847.576
  wealth ava bob atMost 22952.424
  funds shortfall 0
  `,
);

scenario(
  'LIQ-3 attack: remaining risk: a confirmed fall of 90 % costs the fund two thirds',
  `
  # Both sources show 6000. Ava is at -443,200: 58762 again. 4 x 6000 t + 52762 t <= 100,000: 1.302,
  # at a loss of 52762 x 1.302 = 68,696.124.
  ${pair
    .replaceAll('520', '10400')
    .replace('index 60000', 'prices a=60000 b=60000')
    .replace('market BTCUSDT', 'market BTCUSDT indexSources a:1,b:1')}
  ava buy 8.4 @ 60000
  bob sell 8.4 @ 60000
  prices a=6000 b=6000
  takenOver ava 1.302@58762
  deleveraged ava bob 7.098@58761.9
  fund has equity 31303.876
  wealth ava bob atMost 89496.124
  funds shortfall 0
  `,
);
