// An attack as a plan that can be drawn, changed and played: the scenery that it finds, and the
// moves of the attackers and of the prices. Sizes are parts of what an account can carry and prices
// are distances from the mark, so that a changed plan still means something.

export const attackerNames = ['ava', 'bob', 'cal', 'dee'] as const;
export const honestNames = ['eve', 'fay', 'gus', 'hal'] as const;
/** Quotes both sides. */
export const makerName = 'mia';
/** An internal account: the counterparty of the honest positions at the start. */
export const houseName = 'hub';

export const symbols = ['BTCUSDT', 'ETHUSDT'] as const;

export type Side = 'buy' | 'sell';

export type HonestPosition = {
  readonly side: Side;
  /** USDT at the first price. */
  readonly notional: number;
  readonly leverage: number;
};

export type Scenery = {
  /** What the insurance fund has, USDT. */
  readonly fund: number;
  /** Notional of each of the maker's levels, USDT; 0: no quotes. */
  readonly depth: number;
  /** Half of the maker's spread, as a part of the price. */
  readonly spread: number;
  /** Whether the maker is an internal account. */
  readonly makerIsHouse: boolean;
  readonly honest: readonly HonestPosition[];
  /** What each attacker begins with, USDT. */
  readonly money: readonly number[];
  readonly fundingHours: 1 | 8;
  /** Whether the markets have a table of brackets (MAR-10) and bound an account (MAR-11). */
  readonly bracketed: boolean;
};

export type Move =
  | { readonly do: 'leverage'; readonly who: number; readonly leverage: number }
  /** A limit order at the mark × (1 + offset), of a part of what its account can carry. */
  | {
      readonly do: 'order';
      readonly who: number;
      readonly side: Side;
      readonly size: number;
      readonly offset: number;
      readonly market: number;
    }
  /** Two attackers trade: the friend rests, the other takes. */
  | {
      readonly do: 'meet';
      readonly who: number;
      readonly friend: number;
      readonly side: Side;
      readonly size: number;
      readonly offset: number;
      readonly market: number;
    }
  /** An attacker closes a part of a position; a friend, if there is one, rests opposite. */
  | {
      readonly do: 'close';
      readonly who: number;
      readonly friend: number;
      readonly part: number;
      readonly offset: number;
      readonly market: number;
    }
  | { readonly do: 'stop'; readonly who: number; readonly offset: number; readonly market: number }
  | { readonly do: 'cancelAll'; readonly who: number; readonly market: number }
  | { readonly do: 'mode'; readonly who: number; readonly mode: 'cross' | 'isolated' | 'unified' }
  | {
      readonly do: 'collateral';
      readonly who: number;
      readonly part: number;
      readonly market: number;
    }
  | { readonly do: 'withdraw'; readonly who: number; readonly part: number }
  /**
   * The friend sets a code, and the other is bound to it; refused after its first trade (NAT-4a).
   */
  | { readonly do: 'bind'; readonly who: number; readonly friend: number }
  | { readonly do: 'claim'; readonly who: number }
  /** The index moves by a part of itself, in one tick. */
  | { readonly do: 'price'; readonly change: number; readonly market: number }
  /** The maker takes its quotes back, or quotes again. */
  | { readonly do: 'quotes'; readonly on: boolean }
  /** Time passes and the prices are stated again, as often as the gate needs. */
  | { readonly do: 'wait'; readonly ms: number }
  /** Time passes without prices. */
  | { readonly do: 'silence'; readonly ms: number }
  /** Waits until so long before the next boundary of funding. */
  | { readonly do: 'boundary'; readonly beforeMs: number }
  /** The operator closes the market for a delivery in so many minutes. */
  | { readonly do: 'deliver'; readonly minutes: number };

export type Plan = { readonly scenery: Scenery; readonly moves: readonly Move[] };
