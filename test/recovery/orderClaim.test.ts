// What a client may find after a kill, when the answer to its modify was lost: the whole change, or
// nothing of it.

import { expect, test } from 'vitest';
import { brokenBy, createClaim, learn, type OrderClaim, type SeenOrder } from './orderClaim.ts';

const partly: SeenOrder = {
  status: 'PARTIALLY_FILLED',
  price: '100003.1',
  origQty: '0.020',
  executedQty: '0.007',
  origType: 'LIMIT',
  type: 'LIMIT',
};

function claimOf(origQty: string): OrderClaim {
  const claim = createClaim({ clientOrderId: 'x', symbol: 'BTCUSDT', side: 'BUY' });
  learn(claim, partly);
  claim.modifyAsked = { price: '99998.0', origQty };
  return claim;
}

const table: readonly {
  readonly name: string;
  readonly asked: string;
  readonly found: Partial<SeenOrder>;
  readonly broken: boolean;
}[] = [
  { name: 'nothing of the change', asked: '0.012', found: {}, broken: false },
  {
    name: 'the whole change',
    asked: '0.012',
    found: { price: '99998.0', origQty: '0.012' },
    broken: false,
  },
  { name: 'the price alone', asked: '0.012', found: { price: '99998.0' }, broken: true },
  { name: 'the quantity alone', asked: '0.012', found: { origQty: '0.012' }, broken: true },
  {
    name: 'ORD-5 a quantity equal to what is filled ends the order at its old price',
    asked: '0.007',
    found: { status: 'FILLED', origQty: '0.007' },
    broken: false,
  },
  {
    name: 'an order that such a quantity has not ended',
    asked: '0.007',
    found: { origQty: '0.007' },
    broken: true,
  },
  {
    name: 'the quantity alone, of an order that has filled further and ended',
    asked: '0.007',
    found: { status: 'FILLED', origQty: '0.007', executedQty: '0.012' },
    broken: true,
  },
];

test.each(table)('after a modify without an answer: $name', ({ asked, found, broken }) => {
  const said = brokenBy(claimOf(asked), { ...partly, ...found });
  expect(said === undefined).toBe(!broken);
});
