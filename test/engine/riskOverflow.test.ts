// Numbers that cannot be counted (UNIT-1) are refused where they enter: an assertion that fails in
// an index tick stops the exchange, and again whenever the log is read.

import { scenario } from '../scenarios/scenario.ts';

scenario(
  'ORD-11a TRG-1 notionalAboveMax: an order or trigger beyond the largest number at the mark is rejected',
  `
  # At its price of 0.1 it is worth 2000; at the mark it loses 1.2 billion, and maintenance is as much.
  market BTCUSDT maxOrderSize 1000000000 openInterestCap 1000000000
  credit anna 500
  credit ben 10
  index 60000
  ben mode isolated
  anna leverage 50
  anna sell 20000 @ 0.1 -> notionalAboveMax
  ben sell 20000 @ 0.1 -> notionalAboveMax
  ben buy 20000 @ 0.1 -> notionalAboveMax
  anna trigger sell 20000 STOP stop 59900 @ 0.1 -> notionalAboveMax
  ben trigger sell 20000 STOP stop 59900 @ 0.1 -> notionalAboveMax
  # 960 million can be counted.
  anna sell 16000 @ 0.1 -> priceBelowBand 57000.0
  anna sell 16000 @ 57000 -> marginInsufficient
  anna trigger sell 16000 STOP stop 59900 @ 0.1 id anna
  ben trigger sell 16000 STOP stop 59900 @ 0.1 id ben
  index 59800
  anna trigger anna status FAILED failure marginInsufficient
  ben trigger ben status FAILED failure marginInsufficient
  `,
);

scenario(
  'ORD-11a TRG-1 a trigger whose notional has grown beyond the bound fails when it fires',
  `
  market BTCUSDT indexSources manual:1
  credit anna 500
  index 60000 source manual
  anna mode isolated
  anna trigger buy 16000 STOP stop 6100000 @ 0.1 id t
  index 6000000 source manual
  # Past the breaker's minute.
  after 70000
  index 6000000 source manual
  index 6100000 source manual
  anna trigger t status FAILED failure notionalAboveMax
  `,
);

scenario(
  'UNIT-1 PRC-2 an index at which the positions exceed the largest number is refused from any source',
  `
  # 2 x 32 at 99999999.9 are 6.4 billion.
  market BTCUSDT indexSources manual:1
  credit anna 200000
  credit ben 200000
  index 60000 source manual
  anna leverage 50
  ben leverage 50
  anna buy 16 @ 60000
  ben sell 16 @ 60000
  anna buy 16 @ 60000
  ben sell 16 @ 60000
  index 99999999.9 source manual
  events indexRefused 1
  shows index 60000
  anna has position 32
  index 66001 source manual
  events indexRefused 1
  shows index 66001
  `,
);
