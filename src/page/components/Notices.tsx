// The notices at the edge of the page.

import { generalMessages } from '../messages/generalMessages.ts';
import './notices.css';
import { usePage } from './usePage.tsx';

export function Notices() {
  const { notices } = usePage();
  return (
    <output class="notices" aria-live="polite">
      {notices.shown.value.map(({ id, kind, title, text }) => (
        <div key={id} class={`notice notice-${kind}`}>
          <div class="notice-text">
            <strong>{title}</strong>
            <span>{text}</span>
          </div>
          <button
            type="button"
            class="icon-button"
            aria-label={generalMessages().dismiss}
            onClick={() => notices.dismiss(id)}
          >
            ×
          </button>
        </div>
      ))}
    </output>
  );
}
