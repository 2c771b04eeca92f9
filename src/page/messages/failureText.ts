// What the page says about a failure of any kind: a refusal of the exchange, a wallet, the network.

import { ApiError } from '../../client/apiError.ts';
import { PartError } from '../state/loadPart.ts';
import { WalletError } from '../wallet/walletError.ts';
import { generalMessages } from './generalMessages.ts';
import { refusalOf } from './refusals.ts';

export function failureText(error: unknown): string {
  const general = generalMessages();
  if (error instanceof WalletError) return general.wallet[error.problem];
  if (error instanceof PartError) return general.part[error.problem];
  if (error instanceof ApiError) return refusalOf(error).text;
  // The platform rejects with these when no answer has come.
  if (error instanceof TypeError || error instanceof DOMException) return general.unreachable;
  return general.unexpected;
}
