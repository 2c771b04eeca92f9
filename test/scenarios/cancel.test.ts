// Cancelling (spec, order status; ORD-2, ORD-13).

import { scenario } from './scenario.ts';
import { twoMarkets } from './stages.ts';

scenario(
  'ORD-2 a cancelled order ends CANCELED with the reason USER and returns its freeze',
  `
  ${twoMarkets}
  anna buy 0.1 @ 60000 id x
  ben sell 0.04 @ 60000
  # 0.06 freeze 180.9; 120 of collateral, 0.48 of fee
  anna has freezes 180.9 collateral 120 available 9698.62
  anna cancel x -> CANCELED USER
  anna order x filled 0.04 open 0
  anna has freezes 0 available 9879.52
  book bids asks
  `,
);

scenario(
  'ORD-2 ID-2 orderNotFound: the order was never placed, has ended or belongs to another account',
  `
  ${twoMarkets}
  anna cancel never -> orderNotFound
  anna buy 0.1 @ 60000 id x
  ben cancel x -> orderNotFound
  ben sell 0.1 @ 60000
  anna cancel x -> orderNotFound
  anna order x status FILLED
  `,
);

scenario(
  'ORD-13 a mass cancel ends the orders of both sides of its symbol and of no other',
  `
  ${twoMarkets}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 59000 id b
  anna sell 0.2 @ 61000 id s
  anna sell 0.1 @ 61000 reduceOnly id r
  anna buy ETHUSDT 1 @ 2900 id e
  ben buy 0.1 @ 59000 id other
  anna cancelAll -> cancelled 3
  anna order b status CANCELED reason USER
  anna order s status CANCELED reason USER
  anna order r status CANCELED reason USER
  anna order e status NEW
  ben order other status NEW
  anna cancelAll -> cancelled 0
  book bids 0.1@59000 asks
  `,
);

scenario(
  'ORD-2 MAR-1 a cancelled order passes the cover of a single lot to the next order',
  `
  ${twoMarkets}
  anna buy 0.001 @ 60000
  ben sell 0.001 @ 60000
  anna sell 0.001 @ 61000 id older
  anna sell 0.001 @ 62000 id newer
  # 62 / 20 x 1.005
  anna order newer cover 0 freeze 3.1155
  anna cancel older -> CANCELED
  anna order newer cover 0.001 freeze 0
  `,
);
