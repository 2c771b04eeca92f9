// Which engine runs which batches: the port by which replicas find engines, and the reasons why an
// engine is not available. keptEngines.ts keeps the engines, activation.ts lets one follow another.

import type { Engine } from '../engine/engine.ts';

export type Engines = {
  /** The engine that runs new batches, and the hash of its sources. */
  readonly present: { readonly hash: string; readonly engine: Engine };
  /** The engine whose sources have this hash (hex). Throws `EngineRefused`. */
  readonly of: (hash: string) => Engine;
};

/** The first batch that an engine ran; its range ends where the next engine's begins. */
export type EngineRange = { readonly hash: string; readonly from: number };

/**
 * An engine is missing, damaged, made for another release, or cannot follow the engine before it.
 */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/** Another engine has taken the log over from the present one, and a log does not go back. */
export class EngineLeft extends EngineRefused {
  override name = 'EngineLeft';
}

/** The form in which sentences name an engine. */
export const shortHash = (hash: string): string => `${hash.slice(0, 12)}…`;
