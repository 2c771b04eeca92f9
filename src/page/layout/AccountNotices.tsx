// Says what happens to the account while the person looks elsewhere, and that the session has
// ended. It draws nothing.

import { untracked, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { followNews } from './followNews.ts';
import { layoutMessages } from './layoutMessages.ts';

export function AccountNotices() {
  const page = usePage();
  const { session, notices } = page;
  useEffect(() => followNews(page), [page]);
  useSignalEffect(() => {
    if (session.login.value !== undefined) return;
    const title = session.hasExpired.value ? layoutMessages().sessionExpired : undefined;
    // Another person may come.
    untracked(() => {
      notices.forget();
      if (title !== undefined) notices.say({ kind: 'bad', title, text: '' });
    });
  });
  return null;
}
