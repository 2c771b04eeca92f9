// The slice of a thread as Linux reports it; older kernels and other platforms have none.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longSlice, shortSlice } from '../../src/std/timeSlice.ts';

const reported = '/proc/thread-self/sched';
const [major = 0, minor = 0] = release().split('.').map(Number);
const hasSlices =
  (major > 6 || (major === 6 && minor >= 12)) &&
  existsSync(reported) &&
  readFileSync(reported, 'latin1').includes('se.slice');

test.skipIf(!hasSlices).each([shortSlice, longSlice])(
  'a slice of %i ns is that of the calling thread alone, whose priority stays',
  (slice) => {
    const program = join(import.meta.dirname, 'timeSliceProgram.ts');
    const text = execFileSync(process.execPath, [program, String(slice)], { encoding: 'latin1' });
    const { usual, ...found } = JSON.parse(text) as Record<string, number>;
    expect(usual).toBeGreaterThan(shortSlice);
    expect(found).toEqual({
      ...{ set: slice, own: slice },
      ...{ ofThread: usual, ofProcess: usual, priority: 3 },
    });
  },
);
