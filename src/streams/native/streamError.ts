// The channel protocol's answer when it cannot carry out a request (WS-1).

/** The native codes that a socket can receive. */
export type StreamErrorCode =
  | 'ERR_INVALID_PERIOD'
  | 'INTERNAL'
  | 'INVALID_MARKET'
  | 'INVALID_PARAMETER'
  | 'INVALID_TOKEN'
  | 'LIMIT_REACHED'
  | 'TOO_MANY_REQUESTS';

export type StreamError = { readonly code: StreamErrorCode; readonly message: string };

const channelLengthMax = 64;

/** `channel` is the client's text, when it was a text. */
export function errorText({ code, message }: StreamError, channel?: unknown): string {
  const named = typeof channel === 'string' ? { channel: channel.slice(0, channelLengthMax) } : {};
  return JSON.stringify({ type: 'error', code, message, ...named });
}
