// AUTH-4 across kill -9: a child process writes key records and prints each one once the secret
// store has answered; after the kill every printed one must be readable.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSecretStore } from '../../src/secrets/openSecretStore.ts';

const writer = join(import.meta.dirname, 'keyWriter.ts');

/** The lines that the writer printed whole before it was killed. */
async function writeUntilKilled(directory: string, linesMin: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.split('\n').length > linesMin) child.kill('SIGKILL');
  }
  return text.slice(0, text.lastIndexOf('\n')).split('\n');
}

it('AUTH-4 keeps every answered record when the process is killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'evermark-vault-'));
  try {
    const written: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      written.push(...(await writeUntilKilled(directory, 10 + round)));
    }
    const secretStore = openSecretStore({ directory, randomBytes });
    for (const line of written) {
      const [apiKey, secret, ref] = line.split(' ');
      expect(secretStore.secretOf(apiKey!)).toBe(secret);
      expect(secretStore.profileOf(ref!)).toEqual({ label: apiKey, ipWhitelist: '' });
    }
    secretStore.close();
    expect(written.length).toBeGreaterThanOrEqual(30);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
