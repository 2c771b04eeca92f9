// What a process that waits for the lease says of itself, whenever its state has changed: which
// engine the log has, and whether it may have the lease at all.

import { engineHashOf } from '../replica/replicaState.ts';
import { whyNotLead } from './checkVault.ts';
import type { Candidate } from './enterCluster.ts';

/** Gives what is to be called after each step of the state; a change alone is said. */
export function createCandidacy({ recovered, thread, options }: Candidate): () => void {
  const { state } = recovered;
  const { config, journal } = options;
  let said: { readonly engine: string; readonly unfit: string | undefined } | undefined;
  return () => {
    const engine = engineHashOf(state);
    const unfit = whyNotLead(config, state.exchange);
    if (said?.engine === engine && said.unfit === unfit) return;
    if (unfit !== undefined && said?.unfit === undefined) journal.warn(unfit);
    said = { engine, unfit };
    thread.becomeReady(engine, unfit);
  };
}
