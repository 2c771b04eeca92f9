// How a listener ends: it takes no new connections, those that were answered are closed at once,
// and the rest when patience is over.

import type { HttpListener } from './createServer.ts';

/** How often it is looked which connections have been answered. */
const lookingMs = 20;

/**
 * Resolves when every connection is closed. `onImpatient`: what else ends when patience is over.
 */
export async function closeServer(
  { server, close }: HttpListener,
  withinMs: number,
  onImpatient = (): void => {},
): Promise<void> {
  const looking = setInterval(() => server.closeIdleConnections(), lookingMs);
  const impatient = setTimeout(() => {
    server.closeAllConnections();
    onImpatient();
  }, withinMs);
  await close();
  clearInterval(looking);
  clearTimeout(impatient);
}
