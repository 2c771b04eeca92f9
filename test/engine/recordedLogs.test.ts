// Goal: an engine that was only rearranged computes the same states from the same logs. Method:
// twenty logs of drawn commands, recorded as bytes and applied from them; the hashes of each log
// and of what the engine made of it stand in a table. Where only the hash of the log differs from
// the table, the drawing has changed; where the others differ, the engine computes something else.
// A release that means to do so renews the table and says why in its commit:
//
//   npm run vitest -- test/engine/recordedLogs.test.ts --update

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { decodeCommand, encodeCommand } from '../../src/engine/codec/commandCodec.ts';
import type { Command } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { hashEvent } from '../../src/engine/snapshot/eventHash.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createByteReader, createByteWriter, writtenBytes } from '../../src/std/bytes.ts';
import { createHash64, hashBytes, hashHex, hashNumber } from '../../src/std/hash.ts';
import type { Time } from '../../src/units/units.ts';
import { createStream, openingCommands, streamStart } from './commandStream.ts';

const seeds = Array.from({ length: 20 }, (_, index) => 9001 + index);
const commandsPerSeed = 1200;

/** Commands and their times, recorded and applied. */
type Recording = { readonly exchange: Exchange; readonly figures: () => string };

function createRecording(): Recording & { readonly take: (command: Command, time: Time) => void } {
  const exchange = createExchange(43113);
  const log = createHash64();
  const events = createHash64();
  const take = (command: Command, time: Time): void => {
    const writer = createByteWriter();
    encodeCommand(writer, command, 0 as Time);
    const bytes = writtenBytes(writer);
    hashNumber(log, time);
    hashBytes(log, bytes);
    const recorded = decodeCommand(createByteReader(bytes));
    if (time > exchange.time) beginBatch(exchange, time);
    applyCommand(exchange, recorded.command, recorded.deadline);
    for (const event of exchange.events) hashEvent(events, event);
    exchange.events = [];
  };
  const figures = (): string =>
    [hashHex(log), stateHash(exchange), priceHash(exchange), hashHex(events)].join(' ');
  return { exchange, take, figures };
}

function record(seed: number): string {
  const { exchange, take, figures } = createRecording();
  for (const command of openingCommands()) take(command, streamStart);
  const stream = createStream(seed, () => exchange);
  for (let i = 0; i < commandsPerSeed; i += 1) {
    const command = stream.next();
    take(command, stream.time());
  }
  return `${seed} ${figures()}`;
}

test('the states and events of twenty recorded logs are those of the table', () => {
  const table = ['seed log state prices events', ...seeds.map(record)].join('\n');
  expect(table).toMatchInlineSnapshot(`
    "seed log state prices events
    9001 340ce8d745049bea 23094adc8fbfcd04 9923733a2ee275c9 379bdb2df22c1783
    9002 90566f1a97a1e590 142c2d02880fc657 19b1a5bc525b781c 385936e09785767f
    9003 b166322f3b397b2d e71297517720f908 94ce1052a21d987d 18f89d549f15b9ef
    9004 2f7fd4d36435a3c3 ab5dd29b848ea861 175f437d41314d0f 0a101daf022f2929
    9005 fa3ea190d8e0cf50 ffff0b4b441701c0 9cb3833df8f2ecef 48fc0dc34a4a8875
    9006 603090653659ada3 3497857b90fc66c1 70db87d245eb82fe 24172722a1916bff
    9007 09fd957d91228cf5 afc9852528e76370 15b4529e32c2918b 2a926f5c196ef56a
    9008 5be671ffb905fd26 08a8855c6ff5c74d 2ffe0b8c476eff36 eca07a6635e0932f
    9009 81fc8b04dca2f6d4 6672296d806b5dc8 5214a316330db61b 08913bd2cacac7c7
    9010 21450c44287d2fb2 aa617de0a3a63db3 7337c879c6f27da4 5fa7d824616aef4f
    9011 05d2e7a4006283f5 3367d70ceeb9c668 eb01e08c17f88719 25a428392150dc31
    9012 59a659ca1684d7a6 198766d6ac80e0f1 512e71d3ae8fc0aa 0e50d5aecc349d86
    9013 8f5af6fc8306fcc9 d02acca9e98aa55b 71a34ffba1cf014b 5915dfa2c8d95c94
    9014 f502a0f4f91560f8 b47993ef12ae3b73 30549bfbca8b5109 87020a77acbdc7ab
    9015 f22b3fce13dcd899 4b2d8cc45dc3a5b9 2933300dc83ad773 42c7824680e913d4
    9016 08907b7b892e98aa 228a7c36abda5215 b1492c3f5594067a 647e8b089b879395
    9017 6f3fd7ee12e78e52 7d315a32a66d63b3 5128e5a6584a4a24 ac8464c84cf7e6df
    9018 78ea84893917106e 78080da1bd635e5e ca5ab8be617086e6 f065c06834318a3e
    9019 1881b21a01125d8c 53769fc5dade425b 4c3089575a890a37 d0ce3445bc783178
    9020 432d9e971c1a70fa 05756f39bb783958 ec2311831736d063 907109e9c072b3bd"
  `);
});
