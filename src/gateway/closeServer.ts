// Closes a listener: it takes no new connections, closes idle ones at once, and the others after a
// time.

import type { HttpListener } from './createServer.ts';

/** How often it closes connections that have become idle. */
const lookingMs = 20;

/**
 * Resolves when every connection is closed. `onImpatient` is called when `withinMs` is over.
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
