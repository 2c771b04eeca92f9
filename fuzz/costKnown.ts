// Requests that once stopped the exchange, by the way in which they arrived. The target of cost
// tries them before all other cases.

import type { Operation } from '../src/api/operation.ts';
import { operations } from '../src/api/operations.ts';
import { must } from '../src/std/assert.ts';
import { type CostWorld, caseOf, type Drawn, refusedCase } from './costCase.ts';
import { framesCase } from './costFrames.ts';
import type { CostCase } from './costMeter.ts';
import { fill } from './costShapes.ts';

const plain = {
  ...{ query: '', body: undefined, type: '', headers: '', pieceBytes: 0 },
  credential: 'none',
} as const;

/** A command that changes nothing after the first time, but comes into the log. */
export function plainCommand(world: CostWorld, fresh: boolean): CostCase {
  const row = operationNamed('setLeverage');
  const query = 'symbol=BTCUSDT&leverage=20';
  const drawn: Drawn = { ...plain, row, path: row.path, query, credential: 'good' };
  return caseOf(world, drawn, { what: 'a plain command', fresh });
}

export function knownCases(world: CostWorld): readonly CostCase[] {
  const health = operationNamed('getHealth');
  const form = { type: 'application/x-www-form-urlencoded' };
  const http = (name: string, what: string, drawn: Partial<Drawn>, pipelined = false): CostCase => {
    const row = operationNamed(name);
    const whole: Drawn = { ...plain, row, path: row.path, ...drawn };
    return caseOf(world, whole, { what, pipelined });
  };
  const many = Buffer.from(fill('orderIdList=1&', 200_000));
  const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT&price=52500&quantity=9&timeInForce=FOK';
  const streams = Array.from({ length: 1500 }, (_, at) => `btcusdt@kline_${at}`);
  const subscribe = { method: 'SUBSCRIBE', params: streams, id: 1 };
  const head = 15_000;
  return [
    http('placeOrder', 'a form of a&', { ...form, body: Buffer.from(fill('a&', 400_000)) }),
    http('placeOrder', 'a form of %&', { ...form, body: Buffer.from(fill('%&', 100_000)) }),
    http('ping', 'a query of %&', { query: fill('%&', head) }),
    http('cancelBatchOrders', 'a form of one name', {
      ...{ ...form, body: many, query: 'symbol=BTCUSDT', credential: 'good' },
    }),
    http('placeOrder', 'a body in pieces of one byte', {
      ...{ ...form, body: Buffer.alloc(50_000, 'a'), pieceBytes: 1 },
    }),
    http('testOrder', 'more than a deep book has', { query: order, credential: 'good' }),
    http('placeOrder', 'more than a deep book has', { query: order, credential: 'good' }),
    http('getMetrics', 'alone', {}, true),
    http('getOpenApi', 'alone', {}, true),
    framesCase(world, {
      ...{ protocol: 'fapi', kind: 'frame', name: 'SUBSCRIBE unknown intervals', units: 0 },
      text: JSON.stringify(subscribe),
    }),
    ...(['native', 'fapi', 'trading'] as const).map((protocol) =>
      framesCase(world, {
        ...{ protocol, kind: 'frame', name: 'nested arrays', units: 0 },
        text: '['.repeat(16_000) + ']'.repeat(16_000),
      }),
    ),
    refusedCase(world, { by: 'probe', drawn: { ...plain, row: health, path: health.path } }),
    refusedCase(world, {
      ...{ by: 'public', neighbour: 1 },
      drawn: { ...plain, row: operationNamed('ping'), path: '/fapi/v1/ping' },
    }),
  ];
}

function operationNamed(name: string): Operation {
  return must(
    operations.find((each) => each.name === name),
    `there is a row ${name}`,
  );
}
