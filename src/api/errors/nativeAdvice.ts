// What a client does about each code of the native routes, for people who write one. A code without
// advice does not compile. The page of errors shows it beside the reasons and their texts.

import type { NativeCode } from './wireError.ts';

const repeatLater = 'Nothing was executed. Repeat the request after a pause, longer each time.';
const readTheRecord =
  'Read the orders or the record that the request was about before you send anything again.';

export const nativeAdvice: Readonly<Record<NativeCode, string>> = {
  INVALID_ADDRESS: 'Send 0x and 40 hex digits. In mixed case they must be the checksum of EIP-55.',
  TIMESTAMP_EXPIRED: 'Set the clock of your machine, ask for a new nonce, and sign it at once.',
  USER_NOT_FOUND: 'Ask GET /api/v1/auth/nonce for a nonce; each is valid once, for five minutes.',
  SIGNATURE_INVALID:
    'Sign typed_data of the nonce as it is, with the key of the wallet that you name. On FAPI ' +
    'sign the query and the body byte for byte as you send them.',
  SIGNATURE_FORMAT_INVALID: 'Send the 65 bytes r, s, v as 0x and hex.',
  INVALID_TOKEN: 'Log in again. A token lives at most 24 hours, and ends with its session.',
  LIMIT_REACHED:
    'Cancel, delete or close what you no longer need; the message names the limit. Repeating ' +
    'does not help.',
  INVALID_IP: 'Send addresses or networks with commas between them, or an empty text for none.',
  INVALID_SYMBOL: 'Take the symbol from GET /api/v1/markets.',
  INVALID_LEVERAGE: 'Take a whole number that is at most the leverage that the message names.',
  INVALID_AMOUNT:
    'Send a decimal as text, in whole steps of the market and within its bounds (GET ' +
    '/api/v1/markets).',
  PRICE_REQUIRED: 'Send a price, or the type MARKET.',
  SLIPPAGE_EXCEEDED: 'Send a smaller size, a limit price, or a larger max_slippage.',
  PRICE_OUT_OF_BAND: 'Send a price nearer to the mark; the message names the bound.',
  INSUFFICIENT_BALANCE:
    'Deposit, cancel orders, or send a smaller size. POST /api/v1/orders/preview says what an ' +
    'order needs.',
  OI_CAP_EXCEEDED: 'Send a smaller size, or wait until others reduce their positions.',
  POSITION_LIMIT: 'Send a smaller size; the message names the largest position.',
  ORDER_NOT_FOUND: 'Read GET /api/v1/orders. An order that has ended long ago is in its history.',
  ORDER_NOT_OWNED: 'Name an order of your own account.',
  ORDER_NOT_CANCELLABLE:
    'Read the order: it has filled or ended, or its kind cannot be changed. Place a new one.',
  HAS_OPEN_ORDERS: 'Cancel your open orders and triggers first.',
  HAS_OPEN_POSITIONS: 'Close your positions first.',
  INVALID_MARGIN_MODE: 'Read the margin mode of the account, and send one that is documented.',
  INVALID_MARKET: 'Take the market from GET /api/v1/markets.',
  ERR_INVALID_PERIOD: 'Take one of the intervals or periods that the reference lists.',
  ERR_NO_DATA: 'Ask again when the market has traded, or for a later window.',
  CIRCUIT_OPEN:
    'Only orders that reduce a position are accepted, or none while the market is halted. Watch ' +
    'the status of the market and go on when it trades again.',
  PRICE_DATA_UNAVAILABLE: 'Wait for a fresh index price; cancels work meanwhile.',
  INVALID_PARAMETER: 'Correct the parameter that the message names. Repeating does not help.',
  NOT_FOUND: 'Check the path, the id and the deployment.',
  DUPLICATE_CLIENT_ORDER_ID:
    'An open order has this id. If your last request had no answer, it is that order: read it.',
  REDUCE_ONLY_REJECTED: 'Read the position: it is smaller than you think, or has another side.',
  ORDER_WOULD_MATCH: 'Move the price behind the best price of the other side, or allow a taker.',
  REFERRAL_DISABLED: 'The operator has switched referral off; a claim is still possible.',
  REFERRAL_CODE_INVALID: 'Check the code: 4 to 16 of A–Z and 0–9, and it belongs to an account.',
  REFERRAL_NOT_ELIGIBLE: 'The message says why the account takes no part.',
  REFERRAL_CODE_PRESENT: 'The account keeps its code: GET /api/v1/referral shows it.',
  REFERRAL_CODE_TAKEN: 'Choose another code.',
  REFERRAL_ALREADY_BOUND: 'The binding stays: GET /api/v1/referral shows it.',
  REFERRAL_ALREADY_TRADED: 'Nothing can be done: a code is bound before the first trade.',
  REFERRAL_SELF:
    'Use the code of another account that you have not referred, neither directly nor through ' +
    'others.',
  REFERRAL_NOTHING_TO_CLAIM: 'Wait until referees have paid fees.',
  IDEMPOTENCY_CONFLICT: 'Use each Idempotency-Key for one request only.',
  CONFLICT: 'The message names the contradiction. Read the present state, then decide anew.',
  CONFIRMATION_REQUIRED:
    'Read what the change would do, then repeat it with the members that the message names.',
  TOO_MANY_REQUESTS: `${repeatLater} Streams send what changes, without requests.`,
  DISK_FULL: 'New orders wait until the operator has made room; cancels work.',
  UNKNOWN: 'Ask whether it was executed, by your own id, before you send it again.',
  MEMORY_SHORT: 'New orders wait until the exchange has room; cancels work.',
  HISTORY_BEHIND: 'Ask again in a second.',
  LOGIN_TOO_OLD: 'Log in again, then make the key within thirty minutes.',
  FAUCET_OFF: 'Ask the operator for a credit, or deposit.',
  FAUCET_LIMIT: 'Ask again on the next UTC day.',
  INTERNAL: `The exchange is at fault. ${readTheRecord}`,
  INVALID_API_KEY: 'Send the key of this deployment as X-MBX-APIKEY.',
  API_KEY_DISABLED: 'Switch the key on: PUT /api/v1/api-keys/{id}.',
  IP_NOT_ALLOWED: 'Send from an address of the list of this key, or change the list.',
};
