// Symbol normalisation of the interface (SYM-0).

/**
 * The canonical form of a symbol from a client: upper case, without the separators `-`, `/` and
 * `_`, and with the quote `USD` changed to `USDT`. The deployment may not know the result.
 */
export function normalizeSymbol(text: string): string {
  const joined = text.replace(/[-/_]/g, '').toUpperCase();
  return joined.endsWith('USD') && joined.length > 3 ? `${joined}T` : joined;
}
