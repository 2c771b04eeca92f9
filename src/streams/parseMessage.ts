// The message that a text of a client is (WS-1, WS-3), or why it is none.

import { bracketsWithin } from '../std/bracketsWithin.ts';

/** The arrays and objects of a message; a message of a client has at most two (WS-5). */
const bracketsMax = 16;

/** Why a text is no message. */
export type NoMessage = 'noObject' | 'tooManyBrackets';

/** To be put behind "A message". */
export const messageRules: Readonly<Record<NoMessage, string>> = {
  noObject: 'is a JSON object',
  tooManyBrackets: `has at most ${bracketsMax} arrays and objects`,
};

export type ParsedMessage =
  | { readonly message: Readonly<Record<string, unknown>> }
  | { readonly wrong: NoMessage };

export function parseMessage(text: string): ParsedMessage {
  if (!bracketsWithin(text, bracketsMax)) return { wrong: 'tooManyBrackets' };
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? { message: parsed as Record<string, unknown> } : { wrong: 'noObject' };
  } catch {
    return { wrong: 'noObject' };
  }
}
