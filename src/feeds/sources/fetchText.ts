// Requests to external servers over HTTP: a port, and the platform's client behind it, with bounds
// on time and size. It follows no redirect. Its description of a failure never contains the
// address.

/** The longest time for a whole answer, its body included, milliseconds. */
export const answerMsMax = 2000;
/** The largest body that is read, bytes. */
export const answerBytesMax = 65_536;
/** The longest pause that an answer's Retry-After can demand, milliseconds. */
const retryAfterMsMax = 600_000;

export type TextRequest = {
  readonly url: string;
  /** Sent as JSON by POST; absent: GET. */
  readonly body?: string;
  /** Raised when the answer is no longer needed. */
  readonly signal: AbortSignal;
};

export type TextAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The body of an answer with status 200, else empty. */
      readonly text: string;
      /** How long not to ask again, as the answer says; 0 when it does not say so. */
      readonly retryAfterMs: number;
      /** How long the answer has been in a cache, as the cache says. */
      readonly cachedSeconds: number;
    }
  /** `problem` ends a sentence. */
  | { readonly kind: 'failed'; readonly problem: string };

/** Never rejects. */
export type FetchText = (request: TextRequest) => Promise<TextAnswer>;

/** The platform's client; `timeoutMs` bounds each answer as a whole. */
export function createFetchText(timeoutMs: number): FetchText {
  return async ({ url, body, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const giveUp = new AbortController();
    try {
      const response = await fetch(url, {
        ...(body === undefined ? {} : { method: 'POST', body }),
        headers: {
          accept: 'application/json',
          'cache-control': 'no-cache',
          'user-agent': 'evermark',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        redirect: 'error',
        signal: AbortSignal.any([signal, timeout, giveUp.signal]),
      });
      const text = response.status === 200 ? await boundedText(response) : '';
      if (text === undefined) return { kind: 'failed', problem: 'its answer has more than 64 KiB' };
      const { headers, status } = response;
      const retryAfterMs = Math.min(secondsOf(headers, 'retry-after') * 1000, retryAfterMsMax);
      const cachedSeconds = secondsOf(headers, 'age');
      return { kind: 'answer', status, text, retryAfterMs, cachedSeconds };
    } catch {
      const late = timeout.aborted ? 'it does not answer in time' : 'it cannot be reached';
      return { kind: 'failed', problem: late };
    } finally {
      // Stops a body that was not read to its end.
      giveUp.abort();
    }
  };
}

/** The body as text; undefined when it is too large. */
async function boundedText(response: Response): Promise<string | undefined> {
  if (Number(response.headers.get('content-length') ?? 0) > answerBytesMax) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function secondsOf(headers: Headers, name: string): number {
  const text = headers.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
