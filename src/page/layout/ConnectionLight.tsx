// The light of the connection, and how old the last message is.

import { usePage } from '../components/usePage.tsx';
import './connectionLight.css';
import { layoutMessages } from './layoutMessages.ts';

const secondMs = 1000;

/** Green while messages arrive; else it says that what is shown is not live. */
export function ConnectionLight() {
  const { link } = usePage();
  const text = layoutMessages();
  const state = link.state.value;
  const age = link.age.value;
  return (
    <span class={`light light-${state}`} role="status" aria-label={text.connection}>
      <span class="light-dot" aria-hidden="true" />
      <span class="light-text">{text.link[state]}</span>
      {age !== undefined && (
        <span class="light-age" aria-hidden="true">
          {age < secondMs ? text.ageMs(age) : text.ageSeconds(Math.floor(age / secondMs))}
        </span>
      )}
    </span>
  );
}
