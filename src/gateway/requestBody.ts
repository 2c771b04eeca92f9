// The kind of a request's body (conventions, section 2). Stock clients send JSON types with empty
// bodies, and forms with DELETE. The kind decides what is signed and how names are read.

import { noPairs, type Pairs, parsePairs } from './parsePairs.ts';

export type RequestBody =
  | { readonly kind: 'none'; readonly form: Pairs }
  | { readonly kind: 'json'; readonly form: Pairs; readonly bytes: Buffer }
  | { readonly kind: 'form'; readonly form: Pairs };

export const noBody: RequestBody = { kind: 'none', form: noPairs };

function isBlank(bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return false;
  }
  return true;
}

/** Takes the raw body, if any, and the header Content-Type. */
export function requestBodyOf(bytes: unknown, contentType: string | undefined): RequestBody {
  if (!(bytes instanceof Buffer) || bytes.length === 0) return noBody;
  const first = bytes[0];
  const json = first === 123 || first === 91 || contentType?.includes('json') === true;
  // A blank body counts as none, for every type. Only a body with a blank first byte is searched.
  if ((first === 32 || first === 10 || first === 13 || first === 9) && isBlank(bytes)) {
    return noBody;
  }
  if (json) return { kind: 'json', form: noPairs, bytes };
  return { kind: 'form', form: parsePairs(bytes.toString('utf8')) };
}
