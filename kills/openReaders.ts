// Readers of market data at every process of a deployment: copies of the books, kept by streams
// over kills and lost connections, and the depth by REST. When nothing is written, all of them are
// the same book.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Levels, levelsOf } from '../src/client/book.ts';
import { createStreamClient } from '../src/client/createStreamClient.ts';
import { gridOf } from '../src/client/grid.ts';
import { type KeptBook, keepBook } from '../src/client/keepBook.ts';
import { must } from '../src/std/assert.ts';
import { fetchWithin, type Member } from './openMember.ts';

export type Readers = {
  /** Throws when books differ for a minute although nothing is written, or one never was right. */
  readonly audit: (serving: readonly Member[]) => Promise<void>;
  readonly close: () => void;
};

const sameMs = 60_000;
const lookEveryMs = 100;
const askMs = 10_000;
const levelsMax = 1000;

type Market = { readonly symbol: string; readonly tick_size: string; readonly lot_size: string };
type Depth = { readonly lastUpdateId: number } & Levels;

/** Of all members; `serving` is one that serves now. */
export async function openReaders(members: readonly Member[], serving: Member): Promise<Readers> {
  const markets = await ask<readonly Market[]>(serving, '/api/v1/markets');
  const copies = new Map<Member, ReadonlyMap<string, KeptBook>>();
  const clients = members.map((member) => {
    const client = createStreamClient({ url: `${member.http.replace('http:', 'ws:')}/ws` });
    const books = markets.map(({ symbol, tick_size: tick, lot_size: lot }) => {
      const options = { symbol, tick: gridOf(tick), lot: gridOf(lot), onChange: () => {} };
      return [symbol, keepBook(client, options)] as const;
    });
    copies.set(member, new Map(books));
    return client;
  });
  /** The first difference of the books of one market; undefined: all are the same. */
  const whyDiffer = async (
    among: readonly Member[],
    symbol: string,
  ): Promise<string | undefined> => {
    let first: Depth | undefined;
    for (const member of among) {
      const path = `/fapi/v1/depth?symbol=${symbol}&limit=${levelsMax}`;
      // Without the time of the answer.
      const { lastUpdateId, bids, asks } = await ask<Depth>(member, path);
      const depth = { lastUpdateId, bids, asks };
      first ??= depth;
      if (!isDeepStrictEqual(depth, first)) return `the depth of ${symbol} at ${member.name}`;
      const { book } = must(copies.get(member)?.get(symbol), 'each member has a copy of each book');
      if (!isDeepStrictEqual(levelsOf(book, levelsMax), { bids, asks })) {
        return `the stream's book of ${symbol} at ${member.name}`;
      }
    }
    return undefined;
  };
  return {
    audit: async (among) => {
      const deadline = performance.now() + sameMs;
      for (const { symbol } of markets) {
        for (;;) {
          const why = await whyDiffer(among, symbol);
          if (why === undefined) break;
          if (performance.now() > deadline) throw new Error(`${why} is another one`);
          await sleep(lookEveryMs);
        }
      }
      for (const [{ name }, books] of copies) {
        for (const [symbol, { checksumFailures }] of books) {
          const failures = checksumFailures();
          if (failures > 0) throw new Error(`${failures} wrong checksums of ${symbol} at ${name}`);
        }
      }
    },
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

async function ask<T>({ http }: Member, path: string): Promise<T> {
  const answer = await fetchWithin(askMs, `${http}${path}`);
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
  return (await answer.json()) as T;
}
