// What the page says about a failure of any kind: a refusal of the exchange, a wallet, the network.

import { ApiError } from '../../client/apiError.ts';
import { WalletError } from '../wallet/walletError.ts';
import { generalMessages } from './generalMessages.ts';
import { refusalMessages } from './refusalMessages.ts';
import { refusalSentence } from './refusalSentence.ts';

/** Codes whose own words name what is wrong. */
const detailed: ReadonlySet<string> = new Set([
  'INVALID_PARAMETER',
  'INVALID_AMOUNT',
  'LIMIT_REACHED',
  'OI_CAP_EXCEEDED',
  'CONFLICT',
  'CIRCUIT_OPEN',
  'REFERRAL_NOT_ELIGIBLE',
]);

export function failureText(error: unknown): string {
  const general = generalMessages();
  if (error instanceof WalletError) return general.wallet[error.problem];
  if (error instanceof ApiError) {
    const sentence = refusalSentence(error.detail);
    if (sentence !== undefined) return sentence.text;
    const code = String(error.code);
    const said = (refusalMessages() as Readonly<Record<string, string>>)[code];
    if (said === undefined) return error.detail;
    return detailed.has(code) ? `${said} ${error.detail}` : said;
  }
  // The platform rejects with these when no answer has come.
  if (error instanceof TypeError || error instanceof DOMException) return general.unreachable;
  return general.unexpected;
}
