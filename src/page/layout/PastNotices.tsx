// The button that opens the list of past notices.

import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import { usePage } from '../components/usePage.tsx';
import { layoutMessages } from './layoutMessages.ts';
// Styles of what is loaded later do not come with it.
import './pastNotices.css';

export function PastNotices() {
  const { notices } = usePage();
  const { Shown, show, hide } = useLoadedDialog(
    async () => (await import('./NoticeList.tsx')).NoticeList,
  );
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
        onClick={() => void show()}
      >
        <Bell />
      </button>
      {Shown !== undefined && <Shown onClose={hide} />}
    </>
  );
}

const unreadShownMax = 99;

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
