// A market in which a test makes trades one by one, each at its time, for the public figures.

import type { Side } from '../../src/engine/orderTypes.ts';
import {
  openWorld,
  queryText,
  type Reply,
  type Trader,
  type World,
  type WorldOptions,
} from '../gateway/gatewayWorld.ts';

export type MarketDataWorld = {
  readonly world: World;
  readonly maker: Trader;
  readonly taker: Trader;
  /** A time, by minutes and milliseconds from the beginning, which is 08:54 of a Thursday. */
  readonly at: (minutes: number, milliseconds?: number) => number;
  /** Goes to that time with a fresh price of 60000; times never run backwards. */
  readonly goTo: (time: number) => Promise<void>;
  /** The taker takes the order that the maker has just placed. */
  readonly trade: (price: string, quantity: string, side?: Side) => Promise<void>;
  readonly get: (path: string, parameters?: Readonly<Record<string, unknown>>) => Promise<Reply>;
  readonly close: () => Promise<void>;
};

const symbol = 'BTCUSDT';
const minute = 60_000;

export async function openMarketDataWorld(options?: WorldOptions): Promise<MarketDataWorld> {
  const world = await openWorld(options);
  const { clock } = world;
  const maker = await world.newTrader(1_000_000);
  const taker = await world.newTrader(1_000_000);
  const begin = clock.now() - (clock.now() % minute);
  const goTo = async (time: number): Promise<void> => {
    // After a long gap three prices, a second apart, must agree (PRC-2).
    if (time - clock.now() > 30_000) {
      clock.advance(time - clock.now() - 5000);
      for (let i = 0; i < 3; i += 1) {
        clock.advance(1000);
        await world.price(600_000);
      }
    }
    clock.advance(time - clock.now() - 1);
    await world.price(600_000);
  };
  const trade = async (price: string, quantity: string, side: Side = 1): Promise<void> => {
    const limit = { symbol, type: 'LIMIT', price, quantity };
    const [offered, taken] = side > 0 ? ['SELL', 'BUY'] : ['BUY', 'SELL'];
    await world.call(maker, 'POST', '/fapi/v1/order', { ...limit, side: offered });
    const order = { ...limit, side: taken, timeInForce: 'IOC', newOrderRespType: 'RESULT' };
    const { body } = await world.call(taker, 'POST', '/fapi/v1/order', order);
    if (body.status !== 'FILLED') throw new Error(`not traded: ${JSON.stringify(body)}`);
  };
  return {
    world,
    maker,
    taker,
    at: (minutes, milliseconds = 0) => begin + minutes * minute + milliseconds,
    goTo,
    trade,
    get: (path, parameters = {}) => world.send('GET', path, { query: queryText(parameters) }),
    close: () => world.close(),
  };
}
