// File descriptors (CON-2): clients cannot take those that trading needs.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  descriptorRoom,
  descriptorWarning,
  readDescriptors,
} from '../../src/bin/descriptorRoom.ts';
import { quietFlags, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

test('CON-2 a reserve of the limit stays free, and gateway workers count too', () => {
  const usual = { connections: 20_000, sockets: 10_000 };
  expect(descriptorRoom({ limit: undefined, used: 0 }, 0)).toEqual(usual);
  expect(descriptorRoom({ limit: Number.POSITIVE_INFINITY, used: 50 }, 0)).toEqual(usual);
  expect(descriptorRoom({ limit: 1_048_576, used: 50 }, 4)).toEqual(usual);
  const few = descriptorRoom({ limit: 1024, used: 50 }, 0);
  expect(few.connections).toBe(814);
  const shared = descriptorRoom({ limit: 4096, used: 50 }, 2);
  expect(shared.connections + 2 * shared.sockets).toBeLessThanOrEqual(4096 - 50 - 160 - 48);
  expect(shared.sockets).toBeGreaterThan(900);
  expect(() => descriptorRoom({ limit: 200, used: 50 }, 0)).toThrow(/limit of open files is 200/);
});

test('CON-2 an unusual limit is reported', () => {
  const usual = { connections: 20_000, sockets: 10_000 };
  expect(descriptorWarning({ limit: 65_536, used: 50 }, usual)).toBeUndefined();
  expect(descriptorWarning({ limit: undefined, used: 0 }, usual)).toMatch(/not known/);
  const few = { connections: 814, sockets: 10_000 };
  expect(descriptorWarning({ limit: 1024, used: 50 }, few)).toMatch(
    /is 1024: clients may open 814/,
  );
});

test.runIf(process.platform === 'linux')('CON-2 the limit is read from the system', () => {
  const { limit, used } = readDescriptors();
  expect(limit).toBeGreaterThan(used);
  expect(used).toBeGreaterThan(3);
});

test.runIf(process.platform === 'linux').each([0, 1])(
  'CON-2 more idle connections than descriptors stop neither clients nor snapshots, %i workers',
  async (workers) => {
    using directory = createTemporaryDirectory();
    const flags = [...quietFlags, '--workers', `${workers}`, '--snapshot-every', '1000'];
    const server = await startServer({ data: directory.path, flags, openFilesMax: 400 });
    expect(server.errors()).toContain('the limit of open files is 400');
    const idle: Socket[] = [];
    for (let i = 0; i < 900; i += 1) {
      const socket = connect({ host: '127.0.0.1', port: server.port });
      socket.on('error', () => {});
      idle.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    }
    for (let i = 0; i < 20; i += 1) {
      const response = await fetch(`${server.http}/fapi/v1/time`, {
        headers: { connection: 'close' },
      });
      expect(response.status).toBe(200);
    }
    expect((await server.operator.takeSnapshot()).position).toBeGreaterThan(0);
    expect((await server.operator.getInvariants()).ok).toBe(true);
    for (const socket of idle) socket.destroy();
    expect(await server.stop()).toBe(0);
    expect(server.errors()).not.toMatch(/EMFILE|ENFILE|fault/);
  },
);

test.runIf(process.platform === 'linux')(
  'CON-2 a limit that is too small is reported',
  async () => {
    using directory = createTemporaryDirectory();
    const start = startServer({ data: directory.path, flags: quietFlags, openFilesMax: 150 });
    await expect(start).rejects.toThrow(/The limit of open files is 150/);
  },
);
