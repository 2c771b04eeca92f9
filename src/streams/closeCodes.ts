// Why a socket is closed, as RFC 6455, 7.4.1 numbers it.

export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  internalError: 1011,
  tryAgainLater: 1013,
} as const;
