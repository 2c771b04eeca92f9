// Every help is readable in a terminal of 100 columns, and loses no word of how a call is typed.

import { expect, test } from 'vitest';
import { type SubcommandName, usageLine, usageOf, usages } from '../../src/bin/usages.ts';

const names = Object.keys(usages) as SubcommandName[];

test.each(names)('no line of the help of %s is longer than 100 columns', (name) => {
  for (const line of usageOf(name).split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
  const words = new Set(usageLine(name).split(/\s+/));
  expect(usages[name].typed.split(' ').filter((word) => word !== '|' && !words.has(word))).toEqual(
    [],
  );
});

test('each way to type `chain` has its own line, and a long one a line for each option', () => {
  const lines = usageLine('chain').split('\n');
  expect(lines[0]).toBe('usage: evermark chain [status]');
  expect(lines).toContain('       evermark chain bind ADDRESS --rpc URL,URL,URL --block N');
  const serve = lines.indexOf('       evermark chain signer serve SIGNER');
  expect(lines.slice(serve + 1, serve + 3)).toEqual([
    '         --data DIR',
    '         --secret FILE',
  ]);
  expect(usageLine('snapshot')).not.toContain('\n');
});
