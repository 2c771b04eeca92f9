// How a listener ends: it takes no new connections, those that were answered are closed at once, and
// the rest when patience is over.

import type { FastifyInstance } from 'fastify';

/** How often it is looked which connections have been answered. */
const lookingMs = 20;

/** Resolves when every connection is closed. `onImpatient`: what else ends when patience is over. */
export async function closeServer(
  app: FastifyInstance,
  withinMs: number,
  onImpatient = (): void => {},
): Promise<void> {
  const { server } = app;
  const looking = setInterval(() => server.closeIdleConnections(), lookingMs);
  const impatient = setTimeout(() => {
    server.closeAllConnections();
    onImpatient();
  }, withinMs);
  await app.close();
  clearInterval(looking);
  clearTimeout(impatient);
}
