// Which paths belong to FAPI, with or without a row.

export function isFapiPath(target: string): boolean {
  return /^\/(?:fapi|futures)(?:[/?]|$)/.test(target);
}
