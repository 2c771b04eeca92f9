// What the channel protocol answers when it cannot do what it was asked (WS-1).

/** The native codes that a socket can be answered with. */
export type StreamErrorCode =
  | 'ERR_INVALID_PERIOD'
  | 'INVALID_MARKET'
  | 'INVALID_PARAMETER'
  | 'INVALID_TOKEN'
  | 'LIMIT_REACHED'
  | 'TOO_MANY_REQUESTS';

export type StreamError = { readonly code: StreamErrorCode; readonly message: string };

const channelLengthMax = 64;

/** `channel` is what the client wrote, when it was a text. */
export function errorText({ code, message }: StreamError, channel?: unknown): string {
  const named = typeof channel === 'string' ? { channel: channel.slice(0, channelLengthMax) } : {};
  return JSON.stringify({ type: 'error', code, message, ...named });
}
