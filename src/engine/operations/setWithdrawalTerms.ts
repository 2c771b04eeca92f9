// The operator sets the least withdrawal and its fee (VLT-5), because each one costs gas on the
// chain. Withdrawals that wait keep the fee of their request.

import type { Exchange } from '../exchange.ts';
import { withdrawalMinMax } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { SetWithdrawalTerms } from '../vaultCommand.ts';

export function setWithdrawalTerms(exchange: Exchange, command: SetWithdrawalTerms): Outcome {
  const { min, fee } = command;
  const { vault } = exchange;
  if (vault.binding === null) return rejected({ reason: 'vaultMissing' });
  if (!(min > 0 && min <= withdrawalMinMax)) return invalid('min', 'above 0, at most 100 USDT');
  if (!(fee >= 0 && fee < min)) return invalid('fee', 'at least 0 and below the minimum');
  // From here setWithdrawalTerms must succeed.
  exchange.committed = true;
  vault.withdrawalMin = min;
  vault.withdrawalFee = fee;
  exchange.events.push({ kind: 'withdrawalTermsSet', min, fee });
  return { kind: 'accepted' };
}

const invalid = (field: string, detail: string): Outcome =>
  rejected({ reason: 'termsInvalid', field, detail });
