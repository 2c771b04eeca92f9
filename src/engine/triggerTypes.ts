// What a trigger can be: its types, states and routes. The records stand in trigger.ts.

export const triggerTypes = [
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
] as const;
export type TriggerType = (typeof triggerTypes)[number];

/**
 * NEW waits, PENDING is a leg without lots (ATT-3), TRIGGERED has a live order; the others are
 * final.
 */
export const triggerStatuses = [
  'NEW',
  'TRIGGERED',
  'FINISHED',
  'CANCELED',
  'EXPIRED',
  'FAILED',
  'PENDING',
] as const;
export type TriggerStatus = (typeof triggerStatuses)[number];

/** The operation that placed it: it decides where it is listed and what cancels it (TRG-2). */
export const triggerRoutes = ['order', 'algo'] as const;
export type TriggerRoute = (typeof triggerRoutes)[number];
