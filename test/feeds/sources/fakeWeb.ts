// The web as the feeds see it, without a network: answers by address, held back when a test wants
// it, under virtual time. It counts what is under way.

import type { FetchText, TextAnswer, TextRequest } from '../../../src/feeds/sources/fetchText.ts';

export type FakeWeb = {
  readonly fetchText: FetchText;
  /** Addresses asked so far, in order. */
  readonly asked: string[];
  /** The number of requests under way now, and its maximum so far. */
  readonly underWay: () => number;
  readonly underWayMost: () => number;
  /** What answers from now on; a promise holds the answer back. */
  answerWith: (request: TextRequest) => TextAnswer | Promise<TextAnswer>;
};

export function createFakeWeb(): FakeWeb {
  const asked: string[] = [];
  let now = 0;
  let most = 0;
  const web: FakeWeb = {
    asked,
    underWay: () => now,
    underWayMost: () => most,
    answerWith: () => ({ kind: 'failed', problem: 'it cannot be reached' }),
    fetchText: async (request) => {
      asked.push(request.url);
      now += 1;
      most = Math.max(most, now);
      // A raised signal ends the wait, as it ends a request.
      let end = (): void => {};
      const ended = new Promise<TextAnswer>((resolve) => {
        end = () => resolve({ kind: 'failed', problem: 'it cannot be reached' });
        request.signal.addEventListener('abort', end);
      });
      const answer = await Promise.race([web.answerWith(request), ended]);
      request.signal.removeEventListener('abort', end);
      now -= 1;
      return answer;
    },
  };
  return web;
}

/** An answer with status 200 whose body is `value` as JSON, or the text itself. */
export function answered(value: unknown, more: Partial<TextAnswer> = {}): TextAnswer {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    kind: 'answer',
    status: 200,
    text,
    retryAfterMs: 0,
    cachedSeconds: 0,
    ...more,
  } as TextAnswer;
}

export function status(code: number, retryAfterMs = 0): TextAnswer {
  return { kind: 'answer', status: code, text: '', retryAfterMs, cachedSeconds: 0 };
}
