// The list of past notices.

import { useEffect } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import { dateText } from '../state/timeText.ts';
import { layoutMessages } from './layoutMessages.ts';
import './pastNotices.css';

export function NoticeList({ onClose }: { onClose: () => void }) {
  const { notices, preferences } = usePage();
  const text = layoutMessages();
  const past = notices.past.value;
  // What comes while the list is open is read, too.
  useEffect(notices.read, [past]);
  return (
    <Dialog title={text.pastNotices} onClose={onClose}>
      {past.length === 0 ? (
        <p class="muted">{text.noNotices}</p>
      ) : (
        <ul class="past-notices">
          {past.map(({ id, kind, title, text: said, time }) => (
            <li key={id} class={`past-notice past-notice-${kind}`}>
              <strong>{title}</strong>
              <time class="muted" dateTime={new Date(time).toISOString()}>
                {dateText(time, preferences.clock.value)}
              </time>
              {said !== '' && <span>{said}</span>}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
