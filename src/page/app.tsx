// The program of the trading page: it builds the state and draws it.

// What holds everywhere comes before the styles of the parts.
import './styles/themes.css';
import './styles/ground.css';
import './styles/panel.css';

import { render } from 'preact';
import { must } from '../std/assert.ts';
import { stopwatchMs, systemClock } from '../std/clock.ts';
import { ProvidePage } from './components/usePage.tsx';
import { App } from './layout/App.tsx';
import { shownLanguage } from './messages/language.ts';
import { readFacts } from './state/facts.ts';
import { createFramePace } from './state/framePace.ts';
import { openPlatformSocket } from './state/link.ts';
import { createPage } from './state/page.ts';
import { sessionKey } from './state/session.ts';
import { memoryStore, type Store } from './state/store.ts';
import { discoverWallets, type WalletWindow } from './wallet/discoverWallets.ts';

/** A store of the browser; one that forgets where the browser allows none. */
function platformStore(name: 'localStorage' | 'sessionStorage'): Store {
  try {
    return window[name];
  } catch {
    return memoryStore();
  }
}

const hiddenFrameMs = 1000;

/** A hidden tab draws no frames. */
function nextFrame(step: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    step();
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    step();
  }, hiddenFrameMs);
}

async function main(): Promise<void> {
  const content = (name: string): string | undefined =>
    document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  const facts = readFacts(content);
  const page = createPage({
    facts,
    origin: location.origin,
    store: platformStore('localStorage'),
    tabStore: platformStore('sessionStorage'),
    clock: systemClock,
    platform: {
      language: navigator.language,
      prefersLight: matchMedia('(prefers-color-scheme: light)').matches,
    },
    program: new URL(import.meta.url).pathname,
    fetch: (input, init) => fetch(input, init),
    openSocket: openPlatformSocket,
    beforeFrame: createFramePace({
      nextFrame,
      now: stopwatchMs,
      after: (milliseconds, step) => setTimeout(step, milliseconds),
    }),
    fillRandom: (bytes) => crypto.getRandomValues(bytes),
    wallets: discoverWallets(window as unknown as WalletWindow),
  });
  // Another tab has begun or ended a login.
  addEventListener('storage', ({ key }) => {
    if (key === sessionKey(facts.chainId)) page.session.readAgain();
  });
  const { theme, palette } = page.preferences;
  const root = document.documentElement;
  theme.subscribe((value) => root.setAttribute('data-theme', value));
  palette.subscribe((value) => root.setAttribute('data-palette', value));
  shownLanguage.subscribe((value) => root.setAttribute('lang', value));
  const place = must(document.getElementById('app'), 'the text of the page has a place for it');
  // Nothing is drawn in one language first and in another then.
  await page.textsRead.value;
  render(
    <ProvidePage page={page}>
      <App />
    </ProvidePage>,
    place,
  );
}

// Not awaited: the texts of a language are loaded by it, and wait until this module has run.
void main();
