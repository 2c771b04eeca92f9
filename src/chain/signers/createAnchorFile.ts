// The last anchor that a signer has signed, in a small file: its number, the place of its tree in
// the log, how far numbers may rise, and since when. Damage stops the signer: without it the signer
// would sign any number.

import { dirname } from 'node:path';
import { type Disk, fileDisk } from '../../std/disk.ts';
import { readWholeFile } from '../../std/readWholeFile.ts';
import { writeDurably } from '../../std/writeDurably.ts';
import type { AnchorStore, SignedAnchor } from './createAnchorCheck.ts';

const form = /^(\d{1,20}) (\d{1,20}) (\d) (\d{1,20})\n$/;

export function createAnchorFile(path: string, disk: Disk = fileDisk): AnchorStore {
  return {
    load: () => (disk.exists(path) ? read(path, disk) : undefined),
    save: ({ epoch, position, room, at }) => {
      writeDurably(disk, path, Buffer.from(`${epoch} ${position} ${room} ${at}\n`));
      disk.syncDirectory(dirname(path));
    },
  };
}

function read(path: string, disk: Disk): SignedAnchor {
  const [, epoch, position, room, at] =
    form.exec(readWholeFile(disk, path).toString('latin1')) ?? [];
  if (at === undefined) throw new Error(`${path} is damaged: it holds no signed anchor`);
  const signed = { epoch: BigInt(epoch!), position: BigInt(position!) };
  return { ...signed, room: BigInt(room!), at: BigInt(at) };
}
