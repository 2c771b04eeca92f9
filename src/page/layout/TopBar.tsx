// The top edge: name, kind of money, connection, settings and the account. Notices are shown
// between them, and are no part of them.

import { AccountButton } from '../account/AccountButton.tsx';
import { Notices } from '../components/Notices.tsx';
import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import { usePage } from '../components/usePage.tsx';
import { ConnectionLight } from './ConnectionLight.tsx';
import { DisconnectSign } from './DisconnectSign.tsx';
import { layoutMessages } from './layoutMessages.ts';
import { PastNotices } from './PastNotices.tsx';
// Styles of what is loaded later do not come with it.
import './settings.css';
import './topBar.css';

export function TopBar() {
  const { facts } = usePage();
  const { Shown, show, hide } = useLoadedDialog(
    async () => (await import('./Settings.tsx')).Settings,
  );
  const text = layoutMessages();
  return (
    <div class="top-bar">
      <header class="top-parts">
        <span class="brand">
          <Mark />
          <span class="brand-name">Evermark</span>
        </span>
        {facts.isTestnet && <span class="top-tag">{text.playMoney}</span>}
        <DisconnectSign />
        <ConnectionLight />
        <PastNotices />
        <button
          type="button"
          class="icon-button"
          aria-label={text.settings}
          title={text.settings}
          onClick={() => void show()}
        >
          <Gear />
        </button>
        <AccountButton />
      </header>
      <Notices />
      {Shown !== undefined && <Shown onClose={hide} />}
    </div>
  );
}

function Mark() {
  return (
    <svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill="#1f6b55" />
      <path d="M4 3.5h8v2H6.5v1.6h4.6v2H6.5v1.4H12v2H4z" fill="#fff" />
    </svg>
  );
}

function Gear() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" />
      <circle cx="10" cy="4.5" r="2" />
      <circle cx="6" cy="11.5" r="2" />
    </svg>
  );
}
