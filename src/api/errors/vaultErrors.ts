// Code, status and text of the rejections about a vault (VLT-1 … VLT-6), on each surface.

import type { Rejection } from '../../engine/rejection.ts';
import { formatTrimmed } from '../../units/decimal.ts';
import { moneyDecimals } from '../../units/units.ts';
import { type ErrorTable, fapi, native } from './wireError.ts';

type VaultReason =
  | 'vaultBound'
  | 'vaultMissing'
  | 'withdrawalBelowMin'
  | 'factKnown'
  | 'factContradicts'
  | 'depositsPresent';

const conflict = { fapi: fapi(400, -1102), native: native(409, 'CONFLICT') } as const;

export const vaultErrors: Pick<ErrorTable<Rejection>, VaultReason> = {
  vaultBound: {
    ...conflict,
    msg: ({ address, deployBlock }) =>
      `The deployment is bound to the vault ${address} of block ${deployBlock}: money comes and ` +
      'goes by its chain alone.',
  },
  vaultMissing: { ...conflict, msg: 'The deployment has no vault.' },
  withdrawalBelowMin: {
    fapi: fapi(400, -1100),
    native: native(400, 'INVALID_AMOUNT'),
    msg: 'The amount is not valid.',
    message: ({ min }) => `A withdrawal is at least ${formatTrimmed(min, moneyDecimals)}.`,
  },
  factKnown: { ...conflict, msg: 'The log has this fact of the chain already.' },
  factContradicts: { ...conflict, msg: ({ detail }) => detail },
  depositsPresent: {
    ...conflict,
    msg: 'A vault is bound before the first deposit, and there was one.',
  },
};
