// The take-profit and the stop-loss of a position (ATT-9).

import { scenario } from './scenario.ts';
import { richTwoMarkets } from './stages.ts';

const long = `
  ${richTwoMarkets}
  ben sell 1 @ 60000
  anna buy 0.4 @ 60000
`;

scenario(
  'ATT-9 a protection closes the whole position as it is, and one leg ends with the other',
  `
  ${long}
  anna protect profit 61000 loss 59000
  anna trigger protection.profit status NEW type TAKE_PROFIT_MARKET quantity 0 stop 61000
  anna trigger protection.loss status NEW type STOP_MARKET route algo
  anna buy 0.6 @ 60000
  ben buy 5 @ 58900
  index 59000
  anna has position 0
  anna trigger protection.loss status FINISHED
  anna trigger protection.profit status EXPIRED
  `,
);

scenario(
  'ATT-9 a leg that is given replaces the one that is there, null removes it, and the other stays',
  `
  ${long}
  anna protect loss 59000
  anna triggers protection.loss
  anna protect profit 61000 profitAt 61100
  anna triggers protection.loss protection.profit
  anna protect loss 58000
  anna trigger protection.loss stop 58000
  anna triggers protection.profit protection.loss
  events triggerPlaced 3 triggerEnded 1
  anna protect profit none
  anna trigger protection.profit status CANCELED
  anna triggers protection.loss
  anna protect loss none profit none
  anna triggers
  # There is nothing to remove, and that is no error.
  anna protect loss none
  `,
);

scenario(
  'ATT-9 reduceOnlyRejected, takeProfitWrongSide, stopLossWrongSide: a protection needs a position, and prices ahead',
  `
  ${long}
  ben protect loss 61000 ETHUSDT -> reduceOnlyRejected
  anna protect profit 60000 -> takeProfitWrongSide 60000.0
  anna protect loss 60000 -> stopLossWrongSide 60000.0
  ben protect profit 60000 -> takeProfitWrongSide
  ben protect loss 60000 -> stopLossWrongSide
  ben protect profit 59000 loss 61000
  ben triggers protection.profit protection.loss
  change status HALT
  anna protect loss 59000 -> marketHalted
  ben protect loss none
  ben triggers protection.profit
  `,
);

scenario(
  'ATT-9 a leg with a price places a limit order for the position of that moment, and the other cancels it',
  `
  ${long}
  anna protect profit 61000 profitAt 61200 loss 59000
  anna buy 0.1 @ 60000
  index 61000
  anna order protection.profit status NEW open 0.5 price 61200
  anna buy 0.1 @ 60000
  ben buy 0.1 @ 61200
  anna has position 0.5
  anna order protection.profit open 0.4
  ben buy 5 @ 58700
  index 58800
  anna order protection.profit status CANCELED reason PAIR
  anna trigger protection.loss status FINISHED
  anna has position 0
  `,
);

scenario(
  'ATT-9 a leg that has fired is replaced or removed with its order',
  `
  ${long}
  anna protect profit 61000 profitAt 61200 loss 59000
  index 61000
  anna order protection.profit status NEW
  anna protect profit 62000
  anna trigger protection.profit status NEW stop 62000
  events orderEnded 2
  anna triggers protection.loss protection.profit
  anna protect profit 61500 profitAt 61600
  index 61500
  anna order protection.profit status NEW
  anna protect profit none
  anna order protection.profit status CANCELED reason USER
  anna trigger protection.profit status FINISHED
  anna triggers protection.loss
  `,
);

scenario(
  'ATT-9 attack: a protection ends when its position is gone or has turned, and closes no later one',
  `
  ${long}
  anna protect profit 61000 loss 59000
  ben buy 5 @ 59900
  anna sell 0.4 @ 59900 IOC
  anna trigger protection.profit status EXPIRED
  anna buy 0.4 @ 60000
  index 59000
  anna has position 0.4
  index 60000
  anna protect loss 59000
  anna sell 1 @ 59900 IOC
  anna has position -0.6
  anna trigger protection.loss status EXPIRED
  # It is gone for the half of a trade with herself.
  ben cancelAll
  anna protect loss 61000
  anna sell 0.6 @ 60100
  anna buy 0.6 @ 60100 stp NONE
  anna has position -0.6
  anna trigger protection.loss status EXPIRED
  `,
);

scenario(
  'ATT-9 ATT-2 the legs of a parent and a protection count each alone',
  `
  ${richTwoMarkets}
  ben sell 1 @ 60000
  anna buy 0.4 @ 60000 id a profit 61000 loss 59000
  anna buy 0.6 @ 60000
  anna protect loss 58500 profit 62000
  ben buy 5 @ 58400
  index 59000
  anna has position 0.6
  anna trigger a.loss status FINISHED quantity 0.4
  anna triggers protection.profit protection.loss
  index 58500
  anna has position 0
  anna trigger protection.profit status EXPIRED
  `,
);

scenario(
  'ATT-9 LIQ-1 LIQ-4 a position that is liquidated or deleveraged takes its protection along',
  `
  market BTCUSDT maxLeverage 50
  credit anna 3000
  credit ben 100000
  index 60000
  anna leverage 50
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna protect loss 50000 profit 70000
  ben protect loss 70000 profit 50000
  index 56500
  anna has position 0
  ben has position 0
  anna trigger protection.loss status EXPIRED
  ben trigger protection.profit status EXPIRED
  `,
);

scenario(
  'ATT-9 SYM-2b the protection of a settled market ends with its other triggers',
  `
  ${long}
  anna protect loss 50000 profit 70000
  change status CLOSE deliveryTime 1760000040000
  after 39250
  index 60000
  events marketSettled 1
  anna trigger protection.loss status EXPIRED
  anna triggers
  `,
);

scenario(
  'ATT-9 triggersLimit: legs of a protection count like others, and a replaced one gives its place',
  `
  ${long}
  ${Array.from({ length: 199 }, (_, n) => `anna trigger sell 0.1 STOP_MARKET stop ${50000 - n} reduceOnly`).join('\n  ')}
  anna protect loss 59000 profit 61000 -> triggersLimit
  anna protect loss 59000
  anna protect loss 58000
  anna protect profit 61000 -> triggersLimit
  anna protect profit 61000 loss none
  anna trigger protection.profit status NEW
  `,
);
