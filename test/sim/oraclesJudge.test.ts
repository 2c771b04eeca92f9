// The judge of a simulated life: it accepts a program that is where its log says, and refuses one
// that has forgotten, one that has done what it refused, and answers of a state that never existed.

import { expect, test } from 'vitest';
import { createJudge, type Testimony } from '../../sim/life/oracles/createJudge.ts';
import { balanceKey } from '../../sim/life/oracles/keys.ts';
import { createHistory } from '../../sim/life/oracles/linearizability.ts';
import type { LifeView } from '../../sim/life/ports.ts';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { encodeCommand } from '../../src/engine/codec/commandCodec.ts';
import type { Command } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { LogBatch } from '../../src/log/log.ts';
import { createByteWriter, writtenBytes } from '../../src/std/bytes.ts';
import type { Time } from '../../src/units/units.ts';
import { openingCommands, streamStart } from '../engine/commandStream.ts';
import { order } from '../streams/streamOrders.ts';

function batchOf(position: number, command: Command): LogBatch {
  const writer = createByteWriter(1024);
  encodeCommand(writer, command, 0 as Time);
  return {
    ...{ position, time: streamStart, count: 1, engineHash: 'ab' },
    hash: Buffer.alloc(32),
    previousHash: Buffer.alloc(32),
    commands: Buffer.from(writtenBytes(writer)),
  };
}

const mine = order([2, 1, 100, 49_000], { clientOrderId: 'mine' });
const commands = [...openingCommands(), mine];

/** A program that has applied so many of the commands; the log holds them all. */
function viewOf(applied: number): LifeView {
  const exchange: Exchange = createExchange(43113);
  for (const command of commands.slice(0, applied)) {
    beginBatch(exchange, streamStart);
    applyCommand(exchange, command, 0 as Time);
    exchange.events = [];
  }
  const batches = commands.map((command, index) => batchOf(index + 1, command));
  return {
    ...{ when: 'start', exchange, position: commands.length, time: streamStart },
    batchesAfter: (position) => batches.slice(position),
    isSkipped: () => false,
    endedOrder: () => undefined,
  };
}

const testimony = (): Testimony => ({ history: createHistory(), refused: [] });

test('a program at the end of its log is accepted', () => {
  expect(createJudge().check(viewOf(commands.length), testimony())).toEqual([]);
});

test('a program without its last command is refused', () => {
  const found = createJudge().check(viewOf(commands.length - 1), testimony());
  expect(found.join()).toMatch('the log gives');
});

test('an effect of a refused request is found', () => {
  const said = testimony();
  said.refused.push(
    { account: 2, clientOrderId: 'mine', what: 'account 2 by place' },
    { account: 3, clientOrderId: 'mine', what: 'account 3 by place' },
  );
  const found = createJudge().check(viewOf(commands.length), said);
  expect(found).toEqual(['account 2 by place was refused, and mine is there']);
});

test('an answer with a balance that never existed is refused', () => {
  const see = (value: string): string[] => {
    const said = testimony();
    const seen = [{ key: balanceKey(2), value }];
    const observation = { what: 'account 2', seen, floor: { step: 0 }, inOrder: false };
    said.history.happenings.push({ kind: 'seen', observation });
    return createJudge().check(viewOf(commands.length), said);
  };
  const { available, freezes, collateral } = viewOf(commands.length).exchange.accounts[2]!;
  const balance = (available + freezes + collateral) / 1e6;
  expect(see(String(balance))).toEqual([]);
  expect(see(String(balance + 1))).toHaveLength(1);
});
