// Which engine runs which batches: the port by which replicas find engines, and why one cannot be
// had. Where engines are kept stands in keptEngines.ts, how one follows another in activation.ts.

import type { Engine } from '../engine/engine.ts';

export type Engines = {
  /** The engine that runs what comes now, and the hash of its sources. */
  readonly present: { readonly hash: string; readonly engine: Engine };
  /** The engine whose sources have this hash (hex). Throws `EngineRefused`. */
  readonly of: (hash: string) => Engine;
};

/** From which batch on an engine ran the log; up to the next one's. */
export type EngineRange = { readonly hash: string; readonly from: number };

/** An engine is missing, damaged, of another time, or cannot follow the one before it. */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/** How sentences name an engine. */
export const shortHash = (hash: string): string => `${hash.slice(0, 12)}…`;
