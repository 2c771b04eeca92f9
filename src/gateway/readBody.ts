// The body of an HTTP request, read whole within its bound, or why it was not.

import type { IncomingMessage } from 'node:http';

/** The largest body that is read, in bytes. */
export const bodyBytesMax = 1024 * 1024;

/** Methods whose body means something; that of others is passed over. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
/** type/subtype, and parameters that nobody here asks for (RFC 9110, section 8.3.1). */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** The bytes, undefined for none, or why they were refused. */
export type Body = Buffer | undefined | 'bodyTooLarge' | 'requestMalformed';

/** Whether there is something to read, or to refuse. */
export function hasBody({ method = '', headers }: IncomingMessage): boolean {
  if (!methodsWithBody.has(method)) return false;
  const length = headers['content-length'];
  const empty = length === undefined || length === '0';
  return !empty || headers['transfer-encoding'] !== undefined || !isTyped(headers);
}

function isTyped({ 'content-type': type }: IncomingMessage['headers']): boolean {
  return type === undefined || mediaType.test(type);
}

/** `give` is called once, now or when the body is there. */
export function readBody(request: IncomingMessage, give: (body: Body) => void): void {
  const { headers } = request;
  if (!isTyped(headers)) {
    give('requestMalformed');
    return;
  }
  if (Number(headers['content-length']) > bodyBytesMax) {
    give('bodyTooLarge');
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (body: Body): void => {
    request.off('data', onData).off('end', onEnd).off('error', onError);
    // The client may go away later, too: whoever listens to nothing would take that for a fault.
    request.on('error', () => {});
    give(body);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > bodyBytesMax) finish('bodyTooLarge');
    else chunks.push(chunk);
  };
  const onEnd = (): void => finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
  // The client went away in the middle of its body.
  const onError = (): void => finish('requestMalformed');
  request.on('data', onData).on('end', onEnd).on('error', onError);
}
