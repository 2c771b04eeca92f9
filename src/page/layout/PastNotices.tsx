// The button that opens the list of past notices, and the list.

import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import { dateText } from '../state/timeText.ts';
import { layoutMessages } from './layoutMessages.ts';
import './pastNotices.css';

export function PastNotices() {
  const { notices } = usePage();
  const [isOpen, setOpen] = useState(false);
  const text = layoutMessages();
  const unread = notices.unread.value;
  return (
    <>
      <button
        type="button"
        class="icon-button bell"
        aria-label={text.pastNotices}
        title={text.pastNotices}
        data-unread={unread === 0 ? undefined : Math.min(unread, unreadShownMax)}
        onClick={() => setOpen(true)}
      >
        <Bell />
      </button>
      {isOpen && <NoticeList onClose={() => setOpen(false)} />}
    </>
  );
}

const unreadShownMax = 99;

function NoticeList({ onClose }: { onClose: () => void }) {
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

function Bell() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d="M4.2 6a3.8 3.8 0 0 1 7.6 0c0 3.2 1.2 4.6 1.7 5.2h-11c.5-.6 1.7-2 1.7-5.2Z" />
      <path d="M6.7 13.4a1.5 1.5 0 0 0 2.6 0" />
    </svg>
  );
}
