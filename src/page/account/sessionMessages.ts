// Messages of sessions.

import { translated } from '../messages/language.ts';

export const sessionMessages = translated('session', {
  sessions: 'Sessions',
  about: 'Each sign-in of your wallet is a session. End those that you do not know.',
  none: 'This sign-in is from before sessions were listed.',
  agent: 'Browser or program',
  address: 'Network address',
  created: 'Signed in',
  used: 'Last used',
  acts: 'Actions',
  current: 'This session',
  end: 'End',
  endQuestion: 'End this session?',
  endOthers: 'End all other sessions',
  endOthersQuestion: 'End all others?',
  refused: 'The session was not ended',
});
