// Every reason for which a request is refused before it becomes a command, or because of what a
// reader of the state finds. A refusal is a value; errors/ gives it a code, a status and a text.

export type Refusal =
  // The form of the request.
  | { readonly reason: 'pathUnknown' }
  /** The trading page could not be built after the start. */
  | { readonly reason: 'pageNotBuilt' }
  | { readonly reason: 'documentsNotBuilt' }
  | { readonly reason: 'bodyTooLarge' }
  | { readonly reason: 'requestMalformed' }
  | { readonly reason: 'bodyMalformed' }
  // Limits. Each of these but `fateUnknown` is definite: the request was not executed.
  | { readonly reason: 'tooManyRequests' }
  | { readonly reason: 'overloaded' }
  | { readonly reason: 'stopping' }
  /** The process waits for the lease of the log, and another one serves. */
  | { readonly reason: 'waiting' }
  /** It was passed on to the process that writes, and no answer came: it may have been executed. */
  | { readonly reason: 'fateUnknown' }
  | { readonly reason: 'diskFull' }
  | { readonly reason: 'memoryShort' }
  // Authentication.
  | { readonly reason: 'apiKeyMissing' }
  | { readonly reason: 'apiKeyInvalid' }
  | { readonly reason: 'apiKeyDisabled' }
  | { readonly reason: 'addressNotAllowed' }
  | { readonly reason: 'signatureInvalid' }
  | { readonly reason: 'timestampOutsideWindow' }
  | { readonly reason: 'tokenInvalid' }
  | { readonly reason: 'operatorTokenInvalid' }
  // Parameters, in the order in which they are read.
  | { readonly reason: 'parameterMissing'; readonly name: string }
  | { readonly reason: 'priceMissing' }
  | { readonly reason: 'parameterMalformed'; readonly name: string }
  | { readonly reason: 'parameterInvalid'; readonly name: string }
  | { readonly reason: 'marginModeUnknown'; readonly name: string }
  | { readonly reason: 'orderTypeUnknown'; readonly name: string }
  | { readonly reason: 'intervalInvalid'; readonly name: string }
  | { readonly reason: 'periodInvalid'; readonly name: string }
  | { readonly reason: 'symbolUnknown' }
  | { readonly reason: 'marketNotListed' }
  | { readonly reason: 'parameterIllegal'; readonly name: string }
  | { readonly reason: 'priceInvalid'; readonly name: string }
  | { readonly reason: 'quantityInvalid'; readonly name: string }
  | { readonly reason: 'priceOffTick'; readonly name: string }
  | { readonly reason: 'parameterNotAllowed'; readonly name: string }
  | { readonly reason: 'isolatedUnavailable' }
  | { readonly reason: 'hedgeUnavailable' }
  // Findings in the state.
  | { readonly reason: 'noMarketListed' }
  | { readonly reason: 'orderUnknown' }
  | { readonly reason: 'orderNotModifiable' }
  | { readonly reason: 'orderEnded' }
  | { readonly reason: 'orderNotOwned' }
  | { readonly reason: 'noData' }
  | { readonly reason: 'listenKeyUnknown' }
  | { readonly reason: 'resourceUnknown'; readonly what: string }
  | { readonly reason: 'conflict'; readonly detail: string }
  /** Dangerous unless it is sent again with the present values (OPS-4). */
  | { readonly reason: 'confirmationRequired'; readonly detail: string }
  // Login and keys (AUTH-5).
  | { readonly reason: 'walletAddressInvalid' }
  | { readonly reason: 'nonceUnknown' }
  | { readonly reason: 'loginTimestampExpired' }
  | { readonly reason: 'loginSignatureMalformed' }
  | { readonly reason: 'loginSignatureInvalid' }
  | { readonly reason: 'loginTooOld' }
  | { readonly reason: 'ipWhitelistInvalid' }
  // The faucet of a testnet (NAT-8).
  | { readonly reason: 'faucetOff' }
  | { readonly reason: 'faucetLimit' }
  // Failures of the exchange, never of the client.
  | { readonly reason: 'databaseFailed' }
  /** Its tables do not contain yet everything that was durable at the request (HIST-3). */
  | { readonly reason: 'historyBehind' }
  | { readonly reason: 'internal' };
