// What may open while the breaker stands: orders that rest, at a leverage of at most 10 (PRC-3b).

import { scenario } from './scenario.ts';

/** 53900 is more than 10 % below 60000. */
const start = `
  market BTCUSDT
  credit ben 100000
  credit mia 20000
  credit vic 8000
  index 60000
  vic buy 1 @ 60000
  ben sell 1 @ 60000
  mia buy 0.01 @ 50000 id old
  index 55000
`;

const tripped = `
  ${start}
  index 53900
  shows restriction breaker breaker 30000
`;

scenario(
  'PRC-3b attack A7: while the breaker stands the bids that liquidations need may rest',
  `
  ${tripped}
  mia buy 1 @ 52600 -> NEW
  index 52500
  liquidated vic mia 1@52600
  events takenOver 0 deleveraged 0 breakerTripped 1
  vic has position 0
  mia has position 1 collateral 5260
  `,
);

scenario(
  'PRC-3b marketReduceOnly: what would take opens nothing, nor does what cannot rest',
  `
  ${start}
  ben sell 0.1 @ 53950 id ask
  mia sell 0.1 @ 54500 id own
  index 53900
  mia buy 0.1 @ 53950 -> marketReduceOnly
  mia buy 0.1 @ 54000 -> marketReduceOnly
  mia buy 0.1 @ 53950 GTX -> marketReduceOnly
  mia buy 0.1 @ 53900 IOC -> marketReduceOnly
  mia buy 0.1 @ 53900 FOK -> marketReduceOnly
  mia buy 0.1 market -> marketReduceOnly
  mia test buy 0.1 @ 53950 -> marketReduceOnly
  mia test buy 0.1 @ 53900 -> NEW
  mia buy 0.1 @ 53949.9 GTX id rests -> NEW
  ben sell 0.1 @ 53949.9 -> marketReduceOnly
  ben cancel ask
  # Her own order stands in her way as any other.
  mia buy 0.1 @ 54500 -> marketReduceOnly
  mia buy 0.1 @ 54499.9 -> NEW
  # What reduces takes what rests.
  vic sell 0.2 @ 53900 reduceOnly -> FILLED
  mia has position 0.2
  `,
);

scenario(
  'PRC-3b an order captures a leverage of at most 10 while the breaker stands',
  `
  ${tripped}
  mia buy 0.1 @ 53000 id high
  mia order high leverage 10 freeze 532.65
  mia leverage 3
  mia buy 0.1 @ 53000 id low
  mia order low leverage 3
  mia leverage 50
  # 40 BTC at a leverage of 10 are 20000 and more.
  mia buy 4 @ 53000 -> marginInsufficient
  steady 53900 for 30000
  shows restriction none
  mia order high leverage 10
  mia buy 0.1 @ 53000 id later
  mia order later leverage 50
  `,
);

scenario(
  'PRC-3b a modify that opens must rest, and captures its leverage anew',
  `
  ${start}
  ben sell 0.1 @ 53950
  mia order old leverage 20
  index 53900
  mia modify old 0.02 @ 53950 -> marketReduceOnly
  mia order old quantity 0.01 price 50000 leverage 20
  mia modify old 0.02 @ 53000 -> NEW
  mia order old quantity 0.02 price 53000 leverage 10
  `,
);

scenario(
  'PRC-3b TRG-1 of triggers that open only those pass whose order rests',
  `
  ${start}
  ben sell 0.1 @ 53950
  mia trigger buy 0.1 TAKE_PROFIT stop 53900 @ 53900 id rests
  mia trigger buy 0.1 TAKE_PROFIT stop 53900 @ 53950 id takes
  mia trigger buy 0.1 TAKE_PROFIT_MARKET stop 53900 id market
  index 53900
  mia trigger rests status TRIGGERED
  mia order rests leverage 10
  mia trigger takes status FAILED failure marketReduceOnly
  mia trigger market status FAILED failure marketReduceOnly
  mia trigger buy 0.1 TAKE_PROFIT stop 53000 @ 53000 -> marketReduceOnly
  `,
);

scenario(
  'PRC-3b SYM-1 PRC-2b a market in CLOSE or in doubt takes no resting order either',
  `
  ${tripped}
  change status CLOSE
  mia buy 0.1 @ 53000 -> marketReduceOnly
  change status TRADING
  mia buy 0.1 @ 53000 -> NEW
  index 40000
  shows restriction stale
  mia buy 0.1 @ 53000 -> priceUnavailable
  index 53900
  mia buy 0.1 @ 53000 -> NEW
  `,
);
