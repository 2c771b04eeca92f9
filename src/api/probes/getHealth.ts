// GET /health: 200 whenever the process answers; it checks nothing else.

import { Type } from 'typebox';
import { countNumber, exactObject, plainText, wordsText } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';

export const getHealth = defineQuery({
  name: 'getHealth',
  surface: 'probe',
  method: 'GET',
  path: '/health',
  auth: 'none',
  weight: 1,
  summary: 'Shows that the process is up, and its release.',
  parameters: Type.Object({}),
  response: exactObject({
    status: Type.Literal('ok'),
    version: plainText('Of the release.'),
    role: Type.Optional(
      wordsText(
        ['candidate', 'follower', 'sequencer'],
        'Of one of several processes: the sequencer writes, a follower serves what it has ' +
          'written, a candidate waits.',
      ),
    ),
    position: Type.Optional(countNumber('The last batch that it has applied.')),
    lag_ms: Type.Optional(countNumber('How old that batch is; 0 for the sequencer.')),
  }),
  query: ({ deployment: { version, standing } }) =>
    answerJson({ status: 'ok', version, ...standing?.() }),
});
