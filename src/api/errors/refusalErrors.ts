// Code, status and text of every refusal, on each surface. A reason without a row does not compile.

import type { Refusal } from '../refusal.ts';
import { type ErrorTable, fapi, native } from './wireError.ts';

type Named = { readonly name: string };

const missing = ({ name }: Named): string => `Parameter '${name}' is missing or malformed.`;
const illegal = ({ name }: Named): string => `Parameter '${name}' has an illegal format.`;
const invalid = ({ name }: Named): string => `Parameter '${name}' has an invalid value.`;
const tooMany = 'Too many requests.';
const bodyText = "Parameter 'body' is missing or malformed.";

export const refusalErrors: ErrorTable<Refusal> = {
  pathUnknown: {
    fapi: fapi(404, -1000),
    native: native(404, 'NOT_FOUND'),
    msg: 'Not found.',
  },
  pageNotBuilt: {
    fapi: fapi(503, -1000),
    native: native(503, 'INTERNAL'),
    msg: 'The trading page could not be built; everything else is served. See /docs.',
  },
  documentsNotBuilt: {
    fapi: fapi(503, -1000),
    native: native(503, 'INTERNAL'),
    msg: 'The documentation could not be built; /docs/openapi.json and /docs/asyncapi.json are served.',
  },
  bodyTooLarge: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: bodyText,
    message: 'The body is too large.',
  },
  requestMalformed: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: "Parameter 'request' is missing or malformed.",
    message: 'The request is malformed.',
  },
  bodyMalformed: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: bodyText,
    message: 'The body is malformed.',
  },

  tooManyRequests: {
    fapi: fapi(429, -1003),
    native: native(429, 'TOO_MANY_REQUESTS'),
    msg: tooMany,
  },
  overloaded: {
    fapi: fapi(429, -1003),
    native: native(429, 'TOO_MANY_REQUESTS'),
    msg: tooMany,
    message: 'The exchange is busy; the request was not executed.',
  },
  stopping: {
    fapi: fapi(429, -1003),
    native: native(429, 'TOO_MANY_REQUESTS'),
    msg: tooMany,
    message: 'The exchange is stopping; the request was not executed.',
  },

  waiting: {
    fapi: fapi(429, -1003),
    native: native(429, 'TOO_MANY_REQUESTS'),
    msg: 'This process waits for its turn, and another one serves; the request was not executed.',
  },
  fateUnknown: {
    fapi: fapi(500, -1001),
    native: native(503, 'UNKNOWN'),
    msg: 'Internal error; the fate of the request is unknown. Ask for it before you repeat it.',
  },

  diskFull: {
    fapi: fapi(503, -1008),
    native: native(503, 'DISK_FULL'),
    msg: 'The disk of the exchange is full; the order was not executed.',
  },
  memoryShort: {
    fapi: fapi(503, -1008),
    native: native(503, 'MEMORY_SHORT'),
    msg: 'The exchange is short of memory; the order was not executed.',
  },

  apiKeyMissing: {
    fapi: fapi(401, -2015, 'INVALID_API_KEY'),
    native: native(401, 'INVALID_API_KEY'),
    msg: 'The API key is missing: header X-MBX-APIKEY, on a socket apiKey.',
  },
  apiKeyInvalid: {
    fapi: fapi(401, -2015, 'INVALID_API_KEY'),
    native: native(401, 'INVALID_API_KEY'),
    msg: 'The API key is unknown on this deployment.',
  },
  apiKeyDisabled: {
    fapi: fapi(401, -2015, 'API_KEY_DISABLED'),
    native: native(401, 'API_KEY_DISABLED'),
    msg: 'The API key is disabled.',
  },
  addressNotAllowed: {
    fapi: fapi(403, -2015, 'IP_NOT_ALLOWED'),
    native: native(403, 'IP_NOT_ALLOWED'),
    msg: 'The client address is not on the list of this API key.',
  },
  signatureInvalid: {
    fapi: fapi(401, -1022, 'SIGNATURE_INVALID'),
    native: native(401, 'SIGNATURE_INVALID'),
    msg: 'Signature verification failed.',
  },
  timestampOutsideWindow: {
    fapi: fapi(400, -1021, 'SIGNATURE_INVALID'),
    native: native(401, 'TIMESTAMP_EXPIRED'),
    msg: 'Timestamp is outside the 60000 ms window.',
  },
  tokenInvalid: {
    fapi: fapi(401, -2015, 'INVALID_API_KEY'),
    native: native(401, 'INVALID_TOKEN'),
    msg: 'The token is missing, expired or not of this deployment.',
  },
  operatorTokenInvalid: {
    fapi: fapi(401, -2015, 'INVALID_API_KEY'),
    native: native(401, 'INVALID_TOKEN'),
    msg: "The operator's token is missing or wrong.",
  },

  parameterMissing: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: missing,
  },
  priceMissing: {
    fapi: fapi(400, -1102),
    native: native(400, 'PRICE_REQUIRED'),
    msg: "Parameter 'price' is missing or malformed.",
    message: 'A LIMIT order needs a price.',
  },
  parameterMalformed: {
    fapi: fapi(400, -1102),
    native: native(400, 'INVALID_PARAMETER'),
    msg: missing,
  },
  parameterInvalid: {
    fapi: fapi(400, -1130),
    native: native(400, 'INVALID_PARAMETER'),
    msg: invalid,
  },
  marginModeUnknown: {
    fapi: fapi(400, -1130),
    native: native(400, 'INVALID_MARGIN_MODE'),
    msg: invalid,
    message: 'The margin mode is unknown.',
  },
  orderTypeUnknown: {
    fapi: fapi(400, -1130),
    native: native(400, 'INVALID_PARAMETER'),
    msg: invalid,
    message: ({ name }) =>
      `Parameter '${name}' is LIMIT or MARKET; POST /api/v1/triggers places triggers.`,
  },
  intervalInvalid: {
    fapi: fapi(400, -1120),
    native: native(400, 'ERR_INVALID_PERIOD'),
    msg: 'Invalid interval.',
  },
  periodInvalid: {
    fapi: fapi(400, -1120),
    native: native(400, 'ERR_INVALID_PERIOD'),
    msg: 'Invalid period.',
  },
  symbolUnknown: {
    fapi: fapi(400, -1121),
    native: native(400, 'INVALID_SYMBOL'),
    msg: 'Invalid symbol.',
  },
  marketNotListed: {
    fapi: fapi(400, -1121),
    native: native(404, 'INVALID_MARKET'),
    msg: 'Invalid symbol.',
    message: 'The market is unknown.',
  },
  parameterIllegal: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_PARAMETER'),
    msg: illegal,
  },
  priceInvalid: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_AMOUNT'),
    msg: illegal,
  },
  quantityInvalid: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_AMOUNT'),
    msg: illegal,
  },
  priceOffTick: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_AMOUNT'),
    msg: ({ name }) => `Parameter '${name}' has an illegal format. Filter failure: PRICE_FILTER`,
    message: ({ name }) => `Parameter '${name}' is not a whole number of ticks.`,
  },
  parameterNotAllowed: {
    fapi: fapi(400, -1106),
    native: native(400, 'INVALID_PARAMETER'),
    msg: ({ name }) => `Parameter '${name}' is not allowed here.`,
  },
  isolatedUnavailable: {
    fapi: fapi(400, -4046),
    native: native(400, 'INVALID_MARGIN_MODE'),
    msg: 'Isolated margin is not available on this API.',
  },
  hedgeUnavailable: {
    fapi: fapi(400, -4059),
    native: native(400, 'INVALID_PARAMETER'),
    msg: 'Hedge mode is not available.',
  },

  noMarketListed: {
    fapi: fapi(500, -1000),
    native: native(404, 'ERR_NO_DATA'),
    msg: 'Market configuration unavailable.',
  },
  orderUnknown: {
    fapi: fapi(404, -2013),
    native: native(404, 'ORDER_NOT_FOUND'),
    msg: 'Order does not exist.',
  },
  orderNotModifiable: {
    fapi: fapi(404, -2013),
    native: native(409, 'ORDER_NOT_CANCELLABLE'),
    msg: 'Order does not exist.',
    message: 'Only LIMIT orders can be modified.',
  },
  orderEnded: {
    fapi: fapi(400, -2011),
    native: native(409, 'ORDER_NOT_CANCELLABLE'),
    msg: 'Unknown order sent.',
    message: 'The order has ended.',
  },
  orderNotOwned: {
    fapi: fapi(404, -2013),
    native: native(403, 'ORDER_NOT_OWNED'),
    msg: 'Order does not exist.',
    message: 'The order belongs to another account.',
  },
  listenKeyUnknown: {
    fapi: fapi(404, -1125),
    native: native(404, 'NOT_FOUND'),
    msg: 'Listen key does not exist.',
  },
  noData: {
    fapi: fapi(400, -1121),
    native: native(404, 'ERR_NO_DATA'),
    msg: 'Invalid symbol.',
    message: 'There are no data yet.',
  },
  resourceUnknown: {
    fapi: fapi(404, -1000),
    native: native(404, 'NOT_FOUND'),
    msg: 'Not found.',
    message: ({ what }) => `${what} not found.`,
  },
  conflict: {
    fapi: fapi(400, -1102),
    native: native(409, 'CONFLICT'),
    msg: ({ detail }) => detail,
  },
  confirmationRequired: {
    fapi: fapi(400, -1102),
    native: native(409, 'CONFIRMATION_REQUIRED'),
    msg: ({ detail }) => detail,
  },

  walletAddressInvalid: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_ADDRESS'),
    msg: 'The wallet address is malformed.',
  },
  nonceUnknown: {
    fapi: fapi(401, -1022, 'SIGNATURE_INVALID'),
    native: native(404, 'USER_NOT_FOUND'),
    msg: 'There is no valid nonce for this address; ask for one first.',
  },
  loginTimestampExpired: {
    fapi: fapi(401, -1022, 'SIGNATURE_INVALID'),
    native: native(401, 'TIMESTAMP_EXPIRED'),
    msg: 'The timestamp is more than five minutes away.',
  },
  loginSignatureMalformed: {
    fapi: fapi(401, -1022, 'SIGNATURE_INVALID'),
    native: native(400, 'SIGNATURE_FORMAT_INVALID'),
    msg: 'The signature is not 65 bytes of hex with the prefix 0x.',
  },
  loginSignatureInvalid: {
    fapi: fapi(401, -1022, 'SIGNATURE_INVALID'),
    native: native(401, 'SIGNATURE_INVALID'),
    msg: 'Signature verification failed.',
  },
  loginTooOld: {
    fapi: fapi(401, -2015, 'INVALID_API_KEY'),
    native: native(401, 'LOGIN_TOO_OLD'),
    msg: 'An API key needs a login of the last thirty minutes; log in again.',
  },
  ipWhitelistInvalid: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_IP'),
    msg: 'The ip_whitelist is not a comma-separated list of addresses.',
  },

  faucetOff: {
    fapi: fapi(404, -1000),
    native: native(404, 'FAUCET_OFF'),
    msg: 'This deployment has no faucet.',
  },
  faucetLimit: {
    fapi: fapi(429, -1003),
    native: native(429, 'FAUCET_LIMIT'),
    msg: 'The faucet gives once a day to each wallet, and a bounded number of times in all.',
  },

  databaseFailed: {
    fapi: fapi(500, -1000),
    native: native(500, 'INTERNAL'),
    msg: 'Database failure.',
  },
  historyBehind: {
    fapi: fapi(503, -1007),
    native: native(503, 'HISTORY_BEHIND'),
    msg: 'History is catching up; ask again in a moment.',
  },
  internal: {
    fapi: fapi(500, -1000),
    native: native(500, 'INTERNAL'),
    msg: 'Unknown error.',
  },
};
