// The platform's own server without any program, as a process of its own: the target of cost
// measures with it how fast the machine is.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end('{}');
});
// The requests of a long case use the connections only now and then.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
// The fuzzer may end without a word.
process.on('disconnect', () => process.exit());
