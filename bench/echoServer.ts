// A process that sends back what it receives, over bare sockets: the lowest possible cost of an
// answer.

import { type AddressInfo, createServer } from 'node:net';

process.once('message', () => {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', (bytes) => socket.write(bytes));
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.send!((server.address() as AddressInfo).port);
  });
});
