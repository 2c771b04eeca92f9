// A logon over the trading socket of a process (WS-6), which must succeed.

import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { RunningServer } from '../fixtures/startServer.ts';

type Key = { readonly apiKey: string; readonly secretKey: string };

export async function logOnAt({ http }: RunningServer, { apiKey, secretKey }: Key): Promise<void> {
  const socket = new WebSocket(`${http.replace('http:', 'ws:')}/ws-fapi/v1`);
  try {
    const answered = new Promise<string>((resolve, reject) => {
      socket.once('message', (data) => resolve(String(data)));
      socket.once('close', (code) => reject(new Error(`the socket was closed with ${code}`)));
      socket.once('error', reject);
    });
    socket.once('open', () => {
      const timestamp = Date.now();
      const text = `apiKey=${apiKey}&timestamp=${timestamp}`;
      const signature = createHmac('sha256', secretKey).update(text).digest('hex');
      const params = { apiKey, timestamp, signature };
      socket.send(JSON.stringify({ id: 1, method: 'session.logon', params }));
    });
    expect(JSON.parse(await answered)).toMatchObject({ status: 200, result: { apiKey } });
  } finally {
    socket.terminate();
  }
}
