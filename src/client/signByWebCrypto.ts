// Signs a request with WebCrypto, which browsers and Node have. Browsers have it only on pages from
// https or from localhost.

const hmac = { name: 'HMAC', hash: 'SHA-256' };

/** hex(HMAC_SHA256(secret, text)) */
export async function signByWebCrypto(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), hmac, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign(hmac, key, bytes.encode(text)));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
