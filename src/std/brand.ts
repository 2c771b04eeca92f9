// Nominal types over primitives: a brand costs nothing at run time and keeps units apart.

declare const brand: unique symbol;

/** A `T` that only a deliberate cast or a constructor of its unit can make. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
