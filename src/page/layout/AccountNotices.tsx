// Says what happens to the account while the person looks elsewhere, and that the session has
// ended. It draws nothing.

import { untracked, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { followNews } from './followNews.ts';
import { layoutMessages } from './layoutMessages.ts';

export function AccountNotices() {
  const page = usePage();
  const { session, notices } = page;
  useEffect(() => followNews(page), [page]);
  const isOpening = useRef(true);
  useSignalEffect(() => {
    const { value: login } = session.login;
    const wasOpening = isOpening.current;
    isOpening.current = false;
    if (login !== undefined) return;
    const title = session.hasExpired.value ? layoutMessages().sessionExpired : undefined;
    // Another person may come.
    untracked(() => {
      // What was said while the page opened is for the person who opened it.
      if (!wasOpening) notices.forget();
      if (title !== undefined) notices.say({ kind: 'bad', title, text: '' });
    });
  });
  return null;
}
