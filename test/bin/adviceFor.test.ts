// The advice after an error that ends the program.

import { expect, test } from 'vitest';
import { messageWithAdvice } from '../../src/bin/adviceFor.ts';
import { LogDamaged } from '../../src/log/log.ts';

const coded = (code: string, message = 'failed'): Error =>
  Object.assign(new Error(message), { code });

test.each([
  [coded('EACCES'), 'must own the data directory'],
  [coded('SQLITE_READONLY_DIRECTORY'), 'must own the data directory'],
  [new Error('the secret cannot be read', { cause: coded('EACCES') }), 'must own'],
  [coded('SQLITE_FULL'), 'The disk is full'],
  [new Error('the log can no longer be written: ENOSPC: no space left'), 'make room'],
  [new LogDamaged('batch 7 is damaged'), 'Delete and edit nothing'],
])('%s is followed by what to do', (error, advice) => {
  const said = messageWithAdvice(error);
  expect(said.startsWith(`${error.message}. `)).toBe(true);
  expect(said).toContain(advice);
});

test('a message that is clear by itself stays unchanged', () => {
  expect(messageWithAdvice(new Error('There is no batch 7.'))).toBe('There is no batch 7.');
  expect(messageWithAdvice('gone')).toBe('gone');
});
