// What an account and its API keys can be, and the account that is the insurance fund. The records
// stand in account.ts.

import type { AccountId } from '../units/units.ts';

/** How an account's positions share its money (MAR-7). */
export const marginModes = ['cross', 'isolated', 'unified'] as const;
export type MarginMode = (typeof marginModes)[number];

export const apiKeyStatuses = ['active', 'disabled'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

export const rateTiers = ['standard', 'ext-mm', 'house'] as const;
export type RateTier = (typeof rateTiers)[number];

/** The insurance fund: an account like others, without a wallet, that only the engine acts for. */
export const insuranceAccount = 0 as AccountId;
export const insuranceAddress = 'insurance';
