// German of typedMessages.

import type { TextsOf } from '../messages/language.ts';
import type { typedMessages } from '../messages/typedProblem.ts';

export const typedGerman: TextsOf<typeof typedMessages> = {
  malformed: 'Bitte eine Zahl über null.',
  ambiguous: 'Trennt das Komma Dezimalen? Bitte einen Punkt benutzen.',
  tooLarge: 'Diese Zahl ist zu groß.',
  offGrid: (step) => `Bitte ein Vielfaches von ${step}.`,
};
