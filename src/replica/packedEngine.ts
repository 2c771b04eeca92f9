// The kept sources of an engine as one piece of bytes, in which they go from one data directory to
// another. What comes back is checked before it is kept: the sources must have the hash under which
// they were asked for, and may lie nowhere else than in the folders of an engine.

import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { EngineRefused, shortHash } from './engines.ts';
import type { Source } from './hashSources.ts';
import { checkKept, hashLike, keepSources, readSources } from './keptEngines.ts';

/** The sources of an engine have 0.6 MB; damaged bytes may claim any size. */
const unpackedBytesMax = 64 * 1024 * 1024;
const sourceName = /^(?:std|units|engine)(?:\/[\w-]+)*\/[\w-]+\.ts$/;

/** Throws `EngineRefused` unless the engine is kept there and unchanged. Cost: reads 150 files. */
export function packEngine(directory: string, hash: string): Buffer {
  checkKept(directory, hash);
  const sources = readSources(join(directory, hash));
  const texts = Object.fromEntries(sources.map(({ name, text }) => [name, text]));
  return zstdCompressSync(JSON.stringify(texts));
}

/** Keeps the engine in the directory. Throws `EngineRefused` when the bytes are not that engine. */
export async function keepPackedEngine(
  directory: string,
  hash: string,
  packed: Buffer,
): Promise<void> {
  const sources = unpack(packed);
  const found = sources === undefined ? 'none' : hashLike(hash, sources);
  if (sources === undefined || found !== hash) {
    throw new EngineRefused(
      `the sources of engine ${shortHash(hash)} came damaged: they have the hash ` +
        `${shortHash(found)}`,
    );
  }
  await keepSources(directory, hash, sources);
}

/** undefined: the bytes are no sources. */
function unpack(packed: Buffer): Source[] | undefined {
  let texts: unknown;
  try {
    const bytes = zstdDecompressSync(packed, { maxOutputLength: unpackedBytesMax });
    texts = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  if (typeof texts !== 'object' || texts === null) return undefined;
  const entries = Object.entries(texts);
  const isSound = entries.every(
    ([name, text]) => sourceName.test(name) && typeof text === 'string',
  );
  return isSound ? entries.map(([name, text]) => ({ name, text: text as string })) : undefined;
}
