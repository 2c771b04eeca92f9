// The lower edge: links to what programs ask, the list of hotkeys, and which release this is.

import { usePage } from '../components/usePage.tsx';
import { HotkeyButton } from '../hotkeys/HotkeyButton.tsx';
import './footer.css';
import { layoutMessages } from './layoutMessages.ts';

export function Footer() {
  const { facts } = usePage();
  const text = layoutMessages();
  const links = [
    ['/docs', text.interface],
    ['/docs/openapi.json', text.openApi],
    ['/docs/asyncapi.json', text.asyncApi],
    ['/fapi/v1/exchangeInfo', text.markets],
    ['/health', text.health],
  ] as const;
  return (
    <footer class="footer">
      {links.map(([path, name]) => (
        <a key={path} href={path}>
          {name}
        </a>
      ))}
      <span class="top-space" />
      <HotkeyButton />
      <span class="muted">
        {facts.version} · {facts.chainName} {facts.chainId}
      </span>
    </footer>
  );
}
