// The clients of echoServer.ts, in their own process: each sends a message, waits until it
// comes back, and sends the next.

import { connect } from 'node:net';

export type EchoPlan = {
  readonly port: number;
  readonly milliseconds: number;
  readonly connections: number;
  /** Bytes of a message. */
  readonly bytes: number;
};

/** Reports how many messages came back in each second. */
function runEchoes(plan: EchoPlan, tell: (rate: number) => void): void {
  const message = Buffer.alloc(plan.bytes, 'a');
  let echoed = 0;
  const started = performance.now();
  for (let i = 0; i < plan.connections; i += 1) {
    const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
    let left = plan.bytes;
    socket.on('connect', () => socket.write(message));
    socket.on('data', ({ length }) => {
      left -= length;
      if (left > 0) return;
      left = plan.bytes;
      echoed += 1;
      socket.write(message);
    });
  }
  setTimeout(() => tell((echoed * 1000) / (performance.now() - started)), plan.milliseconds);
}

process.once('message', (plan: EchoPlan) => {
  runEchoes(plan, (rate) => process.send!(rate));
});
