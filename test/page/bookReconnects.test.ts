// The page's copy of a book over broken connections. Goal: after a thousand forced disconnections
// it is the exchange's book. Method: the page's own modules in Node against the real program,
// orders that come and go meanwhile, connections that break at once, half-way and after resuming;
// the copy is compared with REST whenever the book stands still.

import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { levelsOf } from '../../src/client/book.ts';
import { createClient } from '../../src/client/createClient.ts';
import {
  createStreamClient,
  type SocketEvents,
  type StreamSocket,
} from '../../src/client/createStreamClient.ts';
import { marketOf } from '../../src/page/state/market.ts';
import { openMarketFeed } from '../../src/page/state/marketFeed.ts';
import { createPrng } from '../../src/std/prng.ts';
import { startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { openTrader } from './openTrader.ts';

const symbol = 'BTCUSDT';
const disconnects = 1000;
/** So many disconnections between two comparisons. */
const roundLength = 50;
const levelsMax = 1000;

type Drops = { readonly open: (url: string, events: SocketEvents) => StreamSocket };

/** Sockets that can be cut without a farewell, as a network does. */
function cuttableSockets(): Drops & { readonly cut: () => boolean } {
  let current: { socket: WebSocket; end: () => void } | undefined;
  return {
    open: (url, events) => {
      const socket = new WebSocket(url);
      let ended = false;
      const end = (): void => {
        if (ended) return;
        ended = true;
        events.onClose();
      };
      socket.on('open', () => events.onOpen());
      socket.on('message', (data) => {
        if (!ended) events.onText(String(data));
      });
      socket.on('close', end);
      socket.on('error', () => {});
      current = { socket, end };
      return { send: (text) => socket.send(text), close: () => socket.close() };
    },
    cut: () => {
      const cutting = current;
      if (cutting === undefined) return false;
      current = undefined;
      cutting.socket.terminate();
      cutting.end();
      return true;
    },
  };
}

test('after a thousand forced disconnections the page’s book is that of REST', async () => {
  using directory = createTemporaryDirectory();
  const flags = ['--feed', 'manual', '--no-market-maker', '--rate-limit-scale', '1000000'];
  const server = await startServer({ data: directory.path, flags });
  try {
    await server.operator.setIndexPrice({ symbol, price: '50000' });
    const visitor = createClient({ baseUrl: server.http });
    const native = await openTrader(server, { seed: 71, amount: '1000000' });
    const market = (await visitor.native.listNativeMarkets())
      .map(marketOf)
      .find((each) => each.symbol === symbol)!;
    const prng = createPrng(20_261_123);
    const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

    const sockets = cuttableSockets();
    const url = `${server.http.replace('http', 'ws')}/ws`;
    const client = createStreamClient({ url, openSocket: sockets.open, retryMs: 1 });
    const feed = openMarketFeed(client, market);
    let compared = 0;
    for (let done = 0; done < disconnects; ) {
      await changeBook(native, prng);
      for (let n = 0; n < 5 && done < disconnects; n += 1) {
        // Between nothing and the time of a few messages.
        await pause(prng.below(30));
        if (sockets.cut()) done += 1;
      }
      if (done < (compared + 1) * roundLength) continue;
      const rest = await visitor.native.getDepth({ symbol, limit: levelsMax });
      await expect
        .poll(() => levelsOf(feed.book, levelsMax), { interval: 20 })
        .toEqual({ bids: rest.bids, asks: rest.asks });
      // After the last disconnection it is live again as soon as its channel is resumed.
      await expect.poll(() => feed.bookIsLive.value, { interval: 20 }).toBe(true);
      compared += 1;
    }
    expect(compared).toBe(disconnects / roundLength);
    expect(client.figures().resumes).toBeGreaterThan(disconnects / 2);
    // A checksum that does not hold would hide a fault of the copy behind a new snapshot.
    expect(feed.checksumFailures()).toBe(0);
    feed.close();
    client.close();
  } finally {
    await server.stop();
  }
});

type Native = ReturnType<typeof createClient>['native'];

/** Five orders come; now and then all others go before. */
async function changeBook(native: Native, prng: ReturnType<typeof createPrng>): Promise<void> {
  if (prng.below(12) === 0) await native.cancelAllNativeOrders({ symbol });
  const orders = Array.from({ length: 5 }, () => {
    const isBid = prng.below(2) === 0;
    const away = 1 + prng.below(400);
    const price = isBid ? 500_000 - away : 500_000 + away;
    return {
      symbol,
      side: isBid ? 'BUY' : 'SELL',
      type: 'LIMIT',
      quantity: `0.00${1 + prng.below(9)}`,
      price: `${Math.floor(price / 10)}.${price % 10}`,
    };
  });
  await native.placeNativeBatch({ orders });
}
