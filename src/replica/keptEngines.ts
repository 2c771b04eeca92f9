// The sources of every engine that ran the log, kept beside the log. Each engine has a folder with
// the name of the hash of its content, `<hash>/std/…`, `units/…`, `engine/…`. Node runs TypeScript
// without a build, so an old engine is loaded from there to replay its range of the log.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Engine, engine } from '../engine/engine.ts';
import { fileDisk } from '../std/disk.ts';
import { EngineRefused, type Engines, shortHash } from './engines.ts';
import { hashSources, hashSourcesByText, type Source } from './hashSources.ts';

/** The folders that decide what a command does. */
const folders = ['std', 'units', 'engine'];

/** Where this program's own engine is. */
const presentRoot = join(import.meta.dirname, '..');

/** Sorted by name, with `/` and line feeds on every platform. Cost: reads some 150 small files. */
export function readSources(root: string): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .sort()
      .map((name) => ({
        name,
        text: readFileSync(join(root, name), 'utf8').replaceAll('\r\n', '\n'),
      })),
  );
}

/** The hash of the engine's sources below `root`, by default this program's. */
export function hashEngineSources(root = presentRoot): string {
  return hashSources(readSources(root));
}

/**
 * Keeps the sources below `root`, by default this program's, durably under their hash, and returns
 * the hash. They exist whole or not at all. Sources that exist already stay, although their
 * comments may differ: they have the same tokens, and `checkKept` verifies them before they are
 * used.
 */
export async function keepEngine(directory: string, root = presentRoot): Promise<string> {
  const sources = readSources(root);
  const hash = hashSources(sources);
  await keepSources(directory, hash, sources);
  return hash;
}

/** Keeps sources under the hash that they have. */
export async function keepSources(
  directory: string,
  hash: string,
  sources: readonly Source[],
): Promise<void> {
  const kept = join(directory, hash);
  if (existsSync(kept)) return;
  const draft = `${kept}.new`;
  await rm(draft, { recursive: true, force: true });
  fileDisk.makeDirectory(draft);
  // The same module system wherever the data directory is.
  const manifest = { name: 'package.json', text: '{ "type": "module" }\n' };
  const names = new Set([...sources, manifest].map(({ name }) => dirname(join(draft, name))));
  for (const name of names) await mkdir(name, { recursive: true });
  // All at once, because syncs that wait together share the work of one.
  await Promise.all([...sources, manifest].map((source) => writeSource(draft, source)));
  for (const name of [...names].sort().reverse()) fileDisk.syncDirectory(name);
  await rename(draft, kept);
  fileDisk.syncDirectory(directory);
}

async function writeSource(folder: string, { name, text }: Source): Promise<void> {
  const file = await open(join(folder, name), 'w');
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The present engine is this program's, under that hash. Other engines are loaded on demand. */
export function openKeptEngines(directory: string, presentHash = hashEngineSources()): Engines {
  const engines = new Map([[presentHash, engine]]);
  return {
    present: { hash: presentHash, engine },
    of: (hash) => {
      const found = engines.get(hash) ?? loadEngine(directory, hash, presentHash);
      engines.set(hash, found);
      return found;
    },
  };
}

const versionsRead = { contract: engine.contract, events: engine.events };

/** Cost: reads and compiles some 150 files, 0.2 s of processor time. */
function loadEngine(directory: string, hash: string, presentHash: string): Engine {
  checkKept(directory, hash);
  const path = join(directory, hash, 'engine', 'engine.ts');
  let kept: Engine;
  try {
    // Not by import(), which would make every replay asynchronous.
    kept = createRequire(import.meta.url)(path).engine;
  } catch (error) {
    throw new EngineRefused(`${path} cannot be loaded: ${(error as Error).message}`);
  }
  for (const version of ['contract', 'events'] as const) {
    if (kept[version] === versionsRead[version]) continue;
    throw new EngineRefused(
      `engine ${shortHash(hash)} has version ${kept[version]} of its ${version}, this release ` +
        `(engine ${shortHash(presentHash)}) reads ${versionsRead[version]}: start the release ` +
        'that wrote the log, or a newer one',
    );
  }
  return kept;
}

/** Throws `EngineRefused` unless the engine is kept and unchanged. */
export function checkKept(directory: string, hash: string): void {
  const kept = join(directory, hash);
  if (!/^[0-9a-f]{64}$/.test(hash) || !existsSync(kept)) {
    throw new EngineRefused(
      `batches of the log were run by engine ${shortHash(hash)}, whose sources are not kept in ` +
        `${directory}: put the folder ${hash} back from a backup`,
    );
  }
  let sources: Source[];
  try {
    sources = readSources(kept);
  } catch (error) {
    throw damaged(kept, (error as NodeJS.ErrnoException).code ?? String(error));
  }
  const found = hashLike(hash, sources);
  if (found !== hash) throw damaged(kept, found);
}

/** The hash of the sources, by the method of this hash if one of them gives it. */
export function hashLike(hash: string, sources: readonly Source[]): string {
  // Sources that were kept before tokens were hashed have the hash of their text.
  return hashSourcesByText(sources) === hash ? hash : hashOrReason(sources);
}

function damaged(kept: string, found: string): EngineRefused {
  return new EngineRefused(
    `${kept} is damaged: its sources have the hash ${shortHash(found)}. Put the folder back from ` +
      'a backup',
  );
}

/** Damaged sources may import each other in a circle. */
function hashOrReason(sources: readonly Source[]): string {
  try {
    return hashSources(sources);
  } catch (error) {
    return String(error);
  }
}
