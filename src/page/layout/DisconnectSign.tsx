// Says in the top bar that orders end with this tab, or that they do not yet: a person who has
// forgotten the switch must not lose orders by closing a tab.

import { usePage } from '../components/usePage.tsx';
import { disconnectMessages } from '../messages/disconnectMessages.ts';
import './topBar.css';

export function DisconnectSign() {
  const { isWanted, isArmed } = usePage().disconnectGuard;
  if (!isWanted.value) return null;
  const text = disconnectMessages();
  return (
    <span class="top-guard" role="status" data-armed={isArmed.value} title={text.title}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path
          d="M4 1v3M8 1v3M2.5 4h7v2a3.5 3.5 0 0 1-7 0zM6 9.5V12"
          fill="none"
          stroke="currentColor"
          stroke-width="1.2"
        />
      </svg>
      <span class="top-guard-text">{isArmed.value ? text.on : text.waits}</span>
    </span>
  );
}
