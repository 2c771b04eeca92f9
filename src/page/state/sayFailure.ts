// Says why something that the person did was refused.

import { failureText } from '../messages/failureText.ts';
import type { Page } from './page.ts';

export function sayFailure(
  { notices }: Pick<Page, 'notices'>,
  title: string,
  error: unknown,
): void {
  notices.say({ kind: 'bad', title, text: failureText(error) });
}
