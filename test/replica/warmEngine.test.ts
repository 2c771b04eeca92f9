// The warming up takes each path so often that the runtime compiles it.

import { expect, test } from 'vitest';
import { warmEngine } from '../../src/replica/warmEngine.ts';

test('TRG-6 a start runs orders, triggers that fill and that cannot, and liquidations', () => {
  const { trades, fired, tried, liquidations } = warmEngine();
  expect(trades).toBeGreaterThan(500);
  expect(fired).toBeGreaterThan(500);
  expect(tried).toBeGreaterThan(2000);
  expect(liquidations).toBeGreaterThan(10);
});
