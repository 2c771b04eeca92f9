// Self-trade prevention (ORD-4): the mode of the incoming order decides.

import { scenario } from './scenario.ts';

const start = `
  credit anna 10000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 60000 id old
`;

scenario(
  'ORD-4 EXPIRE_MAKER, the default: the resting order ends and the incoming one goes on',
  `
  market BTCUSDT
  ${start}
  ben sell 0.1 @ 60000
  anna buy 0.3 @ 60000 id new -> PARTIALLY_FILLED
  anna order old status CANCELED reason SELF_TRADE
  anna order new filled 0.1 open 0.2
  book bids 0.2@60000 asks
  trades 0.1@60000
  `,
);

scenario(
  'ORD-4 MAR-1 the cover of the cancelled resting order goes to the next order',
  `
  # Long 0.1, which covers the older of two sales; the newer freezes 6020 x 1.005 / 20.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 60100 id older
  anna sell 0.1 @ 60200 id newer
  anna order older cover 0.1 freeze 0
  anna order newer cover 0 freeze 302.505
  anna buy 0.1 @ 60100 IOC -> CANCELED IOC
  anna order older status CANCELED reason SELF_TRADE
  anna order newer cover 0.1 freeze 0
  `,
);

scenario(
  'ORD-4 EXPIRE_TAKER: the incoming order ends at an order of its account and keeps its fills',
  `
  market BTCUSDT
  ${start}
  ben sell 0.1 @ 59999
  ben sell 0.1 @ 60000
  anna buy 0.3 @ 60000 stp EXPIRE_TAKER id new -> CANCELED SELF_TRADE
  anna order new filled 0.1
  anna order old status NEW
  book bids asks 0.2@60000
  `,
);

scenario(
  'ORD-4 EXPIRE_BOTH: both orders end',
  `
  market BTCUSDT
  ${start}
  anna buy 0.1 @ 60000 stp EXPIRE_BOTH id new -> CANCELED SELF_TRADE
  anna order old status CANCELED reason SELF_TRADE
  book bids asks
  anna has available 10000 freezes 0
  `,
);

scenario(
  'ORD-4 NONE: the trade happens and pays both fees',
  `
  # 6000 of notional: 3 as taker, 1.2 as maker. Nothing is open afterwards.
  market BTCUSDT
  ${start}
  anna buy 0.1 @ 60000 stp NONE -> FILLED
  trades 0.1@60000
  anna order old status FILLED
  anna has balance 9995.8 available 9995.8 position 0 collateral 0
  funds feeRevenue 4.2
  openInterest 0 0
  `,
);

scenario(
  'ORD-4 the default is a setting of the market, and the mode of the maker does not count',
  `
  market BTCUSDT selfTradePrevention EXPIRE_TAKER
  credit anna 10000
  index 60000
  anna sell 0.1 @ 60000 stp NONE id old
  anna buy 0.1 @ 60000 -> CANCELED SELF_TRADE
  anna order old status NEW
  change selfTradePrevention EXPIRE_MAKER
  anna buy 0.1 @ 60000 -> NEW
  anna order old status CANCELED reason SELF_TRADE
  `,
);

scenario(
  'ORD-4a a MARKET order that met only orders of its account ends CANCELED',
  `
  market BTCUSDT
  ${start}
  anna buy 0.1 market id new -> CANCELED MARKET
  anna order new filled 0
  anna order old status CANCELED reason SELF_TRADE
  `,
);

scenario(
  'ORD-4 MAR-1 after a self-trade the resting part is covered by the position as it then is',
  `
  # The sale uses up the cover of a lot and goes short; the bid of her own brings the position back.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.001 @ 60000
  ben sell 0.001 @ 60000
  anna buy 0.002 @ 60000
  anna sell 0.003 @ 60000 stp NONE id x -> PARTIALLY_FILLED
  anna has position 0.001 freezes 0
  anna order x open 0.001 cover 0.001 freeze 0
  `,
);
