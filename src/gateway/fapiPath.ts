// Which paths belong to FAPI, whether a row has them or not.

export function isFapiPath(target: string): boolean {
  return /^\/(?:fapi|futures)(?:[/?]|$)/.test(target);
}
