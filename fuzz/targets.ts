// The targets by name, and nothing else.

import { type Target, tryAlone } from './target.ts';

type Entry = {
  readonly open: () => Promise<Target>;
  /** The cases that it tries by default. */
  readonly count: number;
};

export const targets: Readonly<Record<string, Entry>> = {
  http: { open: async () => (await import('./httpTarget.ts')).httpTarget, count: 20_000 },
  raw: { open: async () => (await import('./rawTarget.ts')).rawTarget, count: 2000 },
  frames: { open: async () => (await import('./framesTarget.ts')).framesTarget, count: 10_000 },
  tokens: { open: async () => (await import('./tokensTarget.ts')).tokensTarget, count: 10_000 },
  signatures: {
    open: async () => (await import('./signaturesTarget.ts')).signaturesTarget,
    count: 2000,
  },
  hmac: { open: async () => (await import('./hmacTarget.ts')).hmacTarget, count: 100_000 },
  signer: { open: async () => (await import('./signerTarget.ts')).signerTarget, count: 50_000 },
  log: {
    open: async () => {
      const { tryDamage } = await import('../test/log/tryDamage.ts');
      return (run) => tryAlone('log', run, tryDamage);
    },
    count: 2000,
  },
  lane: { open: async () => (await import('./laneTarget.ts')).laneTarget, count: 100_000 },
  cost: { open: async () => (await import('./costTarget.ts')).costTarget, count: 20_000 },
  work: { open: async () => (await import('./workTarget.ts')).workTarget, count: 200 },
  decimals: {
    open: async () => (await import('./decimalsTarget.ts')).decimalsTarget,
    count: 100_000,
  },
};

/** Throws when there is none of that name. */
export function openTarget(name: string): Promise<Target> {
  const entry = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (entry === undefined) throw new Error(`no target is called "${name}"`);
  return entry.open();
}
