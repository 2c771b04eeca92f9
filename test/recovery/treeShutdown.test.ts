// Goal: SIGTERM while a tree of what is owed is being made ends the exchange and the process that
// makes the tree, publishes nothing, and the next start makes whole trees. Method: the real
// program; the process of the tree is stopped as soon as it is there, so that it is under way.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { readAnchorClaims } from '../../src/bin/readAnchorClaims.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

const vault = `0x${'ab'.repeat(20)}`;
const nodes = [1, 2, 3].map((place) => `http://127.0.0.1:9/?${place}`).join(',');
const flags = [...quietFlags, '--vault', vault, '--rpc', nodes, '--anchor-interval', '10'];

const textOf = (pid: number | string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
};

/** The state of a process and its parent; undefined: there is none. */
function standingOf(pid: number | string) {
  const text = textOf(pid, 'stat');
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' || state === 'Z' ? undefined : { state, parent: Number(parent) };
}

/** Waits for the process that makes a tree, and stops it. */
async function stopTreeProcess({ pid }: RunningServer): Promise<number> {
  for (;;) {
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .find((name) => {
        return standingOf(name)?.parent === pid && textOf(name, 'cmdline').includes('treeProgram');
      });
    if (found !== undefined) {
      process.kill(Number(found), 'SIGSTOP');
      return Number(found);
    }
    await sleep(5);
  }
}

test.runIf(process.platform === 'linux')(
  'VLT-8 SIGTERM during a tree ends its process and publishes nothing',
  async () => {
    using directory = createTemporaryDirectory();
    const data = directory.path;
    const trees = (): string[] => {
      const found = readdirSync(data).includes('trees') ? readdirSync(join(data, 'trees')) : [];
      return found.filter((name) => name.startsWith('tree-'));
    };
    const start = async (): Promise<RunningServer> => {
      const server = await startServer({ data, flags });
      onTestFinished(() => server.kill());
      return server;
    };
    const first = await start();
    await first.operator.bindVault({
      ...{ chain_id: 43113, address: vault, token: `0x${'cd'.repeat(20)}`, token_decimals: 6 },
      ...{ code_hash: `0x${'ef'.repeat(32)}`, deploy_block: 1 },
    });
    const making = await stopTreeProcess(first);
    onTestFinished(() => {
      if (standingOf(making) !== undefined) process.kill(making, 'SIGKILL');
    });
    const before = trees();
    expect(await first.stop()).toBe(0);
    while (standingOf(making) !== undefined) await sleep(5);
    expect(trees()).toEqual(before);

    const second = await start();
    while (trees().length < before.length + 1) await sleep(50);
    expect(await second.stop()).toBe(0);
    const place = findDataDirectory(data);
    const anchors = await readAnchorClaims({ vault: '', rpc: '' }, place);
    const { ok, anchors: found } = verifyDirectory(place, undefined, { anchors });
    expect({ ok, wrong: found?.wrong }).toEqual({ ok: true, wrong: [] });
  },
);
