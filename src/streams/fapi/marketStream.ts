// From the name of a market stream to its producer (conventions, 13.4).

import { unreachable } from '../../std/assert.ts';
import type { Opening } from '../fanout.ts';
import type { StreamContext } from '../streamContext.ts';
import { aggTradeStream } from './aggTradeStream.ts';
import { bookTickerStream } from './bookTickerStream.ts';
import { contractInfoStream } from './contractInfoStream.ts';
import { depthStream } from './depthStream.ts';
import { forceOrderStream } from './forceOrderStream.ts';
import { klineStream } from './klineStream.ts';
import { markPriceStream } from './markPriceStream.ts';
import { partialDepthStream } from './partialDepthStream.ts';
import type { NamedStream } from './streamName.ts';
import { tickerStream } from './tickerStream.ts';
import { tradeStream } from './tradeStream.ts';

export function marketStream(context: StreamContext, stream: NamedStream): Opening {
  switch (stream.kind) {
    case 'depth':
      return depthStream(context, stream);
    case 'partialDepth':
      return partialDepthStream(context, stream);
    case 'bookTicker':
      return bookTickerStream(context, stream);
    case 'trade':
      return tradeStream(context, stream);
    case 'aggTrade':
      return aggTradeStream(context, stream);
    case 'kline':
    case 'continuousKline':
      return klineStream(context, stream);
    case 'markPrice':
      return markPriceStream(context, stream);
    case 'ticker':
    case 'miniTicker':
      return tickerStream(context, stream);
    case 'forceOrder':
      return forceOrderStream(context, stream);
    case 'contractInfo':
      return contractInfoStream(context, stream.name);
    default:
      return unreachable(stream);
  }
}
