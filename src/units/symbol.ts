// Symbol normalisation of the interface (SYM-0).

/**
 * The canonical form of a symbol as a client wrote it: upper case, the separators `-`, `/` and `_`
 * removed, a `USD` quote mapped to `USDT`. The result may still be unknown to the deployment.
 */
export function normalizeSymbol(text: string): string {
  const joined = text.replace(/[-/_]/g, '').toUpperCase();
  return joined.endsWith('USD') && joined.length > 3 ? `${joined}T` : joined;
}
