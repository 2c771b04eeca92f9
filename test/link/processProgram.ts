// The process of sim/cluster/simulatedProcess.ts as a program of its own, over real sockets and a
// real server. It prints a line for what it does: `holds`, `sent REQUEST`, `fate REQUEST FATE`,
// `applied POSITION HASH`, `ended MESSAGE`.

import { randomUUID } from 'node:crypto';
import { type ProcessWorld, startProcess } from '../../sim/cluster/simulatedProcess.ts';
import { createSharedRows } from '../../sim/cluster/simulatedRows.ts';
import type { LinkSide, SteppedLink } from '../../sim/cluster/steppedLinks.ts';
import type { Link } from '../../src/link/createLink.ts';
import { dialLink } from '../../src/link/dialLink.ts';
import type { FollowedBatch } from '../../src/link/following.ts';
import { type Hello, type LinkMessage, linkVersion } from '../../src/link/linkMessage.ts';
import { serveLink } from '../../src/link/serveLink.ts';
import { createLane } from '../../src/log/postgres/createLane.ts';
import { createServers } from '../../src/log/postgres/createServers.ts';
import { endClient } from '../../src/log/postgres/openSession.ts';
import { readPostgresBatches } from '../../src/log/postgres/readPostgresBatches.ts';
import { stopwatchMs, systemClock } from '../../src/std/clock.ts';
import { createPrng } from '../../src/std/prng.ts';
import { systemScheduler } from '../../src/std/scheduler.ts';

const [urls = '', secretText = '', everyMs = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const scheduler = systemScheduler;
const name = randomUUID();
const servers = createServers({
  ...{ urls, scheduler, replicatedStorage: true, applicationName: `evermark ${name}` },
});
const end = (why: string): void => {
  say(`ended ${why}`);
  process.exit(1);
};

const hello: Hello = {
  ...{ kind: 'hello', version: linkVersion, process: name, release: '1.0.0', engineHash: 'ab' },
};
const shared = {
  ...{ hello, scheduler, stopwatch: stopwatchMs },
  secret: { deployment: 'test', secret: Buffer.from(secretText, 'hex') },
};
let links = 0;
const addresses = new Map<string, string>();

/** A link that this process opens; what is sent before it is open waits. */
function dial(holder: string, side: LinkSide): SteppedLink {
  let link: Link | undefined;
  const waiting: LinkMessage[] = [];
  let ended = false;
  const onEnd = (): void => {
    if (ended) return;
    ended = true;
    dialler.aim(undefined);
    side.onEnd();
  };
  const dialler = dialLink({
    ...shared,
    onOpen: (opened) => {
      link = opened;
      for (const message of waiting) opened.send(message);
    },
    onMessage: (_, message) => side.onMessage(message),
    onEnd,
  });
  dialler.aim(addresses.get(holder));
  links += 1;
  return {
    number: links,
    send: (_, message) => {
      // The link says it by itself.
      if (message.kind === 'hello') return;
      if (link === undefined) waiting.push(message);
      else link.send(message);
    },
    cut: onEnd,
  };
}

/** The side of the holder, for a link that another process has opened. */
function listen() {
  let side: LinkSide | undefined;
  return {
    onOpen: (link: Link) => {
      links += 1;
      side = own.accept({
        number: links,
        send: (_, message) => link.send(message),
        cut: () => link.close('this process does not take it'),
      });
      side.onMessage(link.peer);
    },
    onMessage: (_: Link, message: LinkMessage) => side?.onMessage(message),
    onEnd: () => side?.onEnd(),
  };
}

const read: ProcessWorld['read'] = async (after, to) => {
  const batches: FollowedBatch[] = [];
  try {
    const { client } = await servers.connect();
    try {
      for await (const batch of readPostgresBatches(client, after, to)) {
        batches.push({ ...batch, origins: batch.origins ?? Buffer.alloc(0) });
      }
    } finally {
      endClient(client);
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
  return batches;
};

const server = serveLink({
  ...{ ...shared, secret: () => shared.secret, listen, report: say },
  strangerOf: (address) => address,
});
const port = await server.open({ host: '127.0.0.1', port: 0 });
let holder = '';
let said = false;
const looking = createLane(servers, scheduler);
const look = async (): Promise<void> => {
  const text = 'select holder, address from evermark.lease';
  const outcome = await looking.run({ name: 'holder', text, values: [] });
  const row = outcome.kind === 'clean' ? outcome.rows[0] : undefined;
  if (row !== undefined) {
    holder = row.holder as string;
    addresses.set(holder, row.address as string);
    if (holder === name && !said) say('holds');
    said ||= holder === name;
  }
  setTimeout(look, 100);
};
void look();
const own = startProcess(
  {
    ...{
      clock: systemClock,
      now: stopwatchMs,
      address: `127.0.0.1:${port}`,
      dial,
      read,
      idleMs: 500,
    },
    ...{ replicatedStorage: true, mistakes: new Set(), lastVisible: () => 0 },
    ...{ rows: createSharedRows(stopwatchMs), isHolder: (process) => process === holder },
    makeLane: () => createLane(servers, scheduler),
    findHolder: () => (addresses.get(holder)?.includes(':') === true ? holder : undefined),
    onFate: (request, fate) => say(`fate ${request} ${fate}`),
    onApplied: (_, position, hash) => say(`applied ${position} ${hash}`),
    onStop: (why) => end(`stop: ${why}`),
    onBreach: (why) => end(`breach: ${why}`),
    onEnd: (error) => end(error === undefined ? 'closed' : error.message),
  },
  { name, scheduler, prng: createPrng(process.pid) },
);
let sent = 0;
setInterval(() => {
  sent += 1;
  const request = `${name}/${sent}`;
  say(`sent ${request}`);
  own.request(request);
}, Number(everyMs));
