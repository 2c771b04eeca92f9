// The lower edge: links to what people and programs read, the list of hotkeys, and which release
// this is.

import { usePage } from '../components/usePage.tsx';
import { HotkeyButton } from '../hotkeys/HotkeyButton.tsx';
import './footer.css';
import { layoutMessages } from './layoutMessages.ts';

export function Footer() {
  const { facts } = usePage();
  const text = layoutMessages();
  const links = [
    ['/docs/start', text.start],
    ['/docs/rules', text.rules],
    ['/docs/glossary', text.glossary],
    ['/docs/errors', text.errors],
    ['/docs', text.interface],
  ] as const;
  return (
    <footer class="footer">
      {links.map(([path, name]) => (
        <a key={path} href={path}>
          {name}
        </a>
      ))}
      <span class="footer-end">
        <HotkeyButton />
      </span>
      <span class="muted">
        {facts.version} · {facts.chainName} {facts.chainId}
      </span>
    </footer>
  );
}
