// Finds the target by its name.

import { type Door, tryAlone } from './door.ts';

type Entry = {
  readonly open: () => Promise<Door>;
  /** The number of cases, unless the caller gives another. */
  readonly count: number;
};

export const doors: Readonly<Record<string, Entry>> = {
  http: { open: async () => (await import('./httpDoor.ts')).httpDoor, count: 20_000 },
  raw: { open: async () => (await import('./rawDoor.ts')).rawDoor, count: 2000 },
  frames: { open: async () => (await import('./framesDoor.ts')).framesDoor, count: 10_000 },
  tokens: { open: async () => (await import('./tokensDoor.ts')).tokensDoor, count: 10_000 },
  signatures: {
    open: async () => (await import('./signaturesDoor.ts')).signaturesDoor,
    count: 2000,
  },
  hmac: { open: async () => (await import('./hmacDoor.ts')).hmacDoor, count: 100_000 },
  log: {
    open: async () => {
      const { tryDamage } = await import('../test/log/tryDamage.ts');
      return (run) => tryAlone('log', run, tryDamage);
    },
    count: 2000,
  },
  cost: { open: async () => (await import('./costDoor.ts')).costDoor, count: 20_000 },
  work: { open: async () => (await import('./workDoor.ts')).workDoor, count: 200 },
  decimals: { open: async () => (await import('./decimalsDoor.ts')).decimalsDoor, count: 100_000 },
};

/** Throws when no target has that name. */
export function openDoor(name: string): Promise<Door> {
  const entry = Object.hasOwn(doors, name) ? doors[name] : undefined;
  if (entry === undefined) throw new Error(`no door is called "${name}"`);
  return entry.open();
}
