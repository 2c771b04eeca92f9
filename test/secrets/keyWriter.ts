// The child of secretStoreCrash.test.ts: writes key records to the secret store of a directory
// until it is killed, and prints each one after the secret store has answered.

import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openSecretStore } from '../../src/secrets/openSecretStore.ts';

const secretStore = openSecretStore({ directory: process.argv[2]!, randomBytes });
for (;;) {
  const apiKey = randomBytes(32).toString('hex');
  const secret = randomBytes(32).toString('hex');
  const ref = secretStore.createKeyRecord({ apiKey, secret, label: apiKey, ipWhitelist: '' });
  writeSync(1, `${apiKey} ${secret} ${ref}\n`);
}
