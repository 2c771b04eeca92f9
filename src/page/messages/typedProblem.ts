// What is said about a number that cannot be read, at the field in which it was typed.

import type { Grid } from '../../client/grid.ts';
import { gridText } from '../state/grid.ts';
import type { Typed } from '../state/readTyped.ts';
import { translated } from './language.ts';

export const typedMessages = translated('typed', {
  malformed: 'A number above zero, please.',
  ambiguous: 'Is the comma a decimal point? Please use a point.',
  tooLarge: 'This number is too large.',
  offGrid: (step: string) => `A multiple of ${step}, please.`,
});

/** Empty for what can be read, and while nothing is typed. */
export function typedProblem(kind: Typed['kind'], grid: Grid): string {
  const text = typedMessages();
  if (kind === 'steps' || kind === 'empty') return '';
  return kind === 'offGrid' ? text.offGrid(gridText(1n, grid)) : text[kind];
}
