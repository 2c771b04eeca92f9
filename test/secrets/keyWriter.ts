// The child of vaultCrash.test.ts: writes key records to the vault of a directory until it is
// killed, and prints each one after the vault has answered.

import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openVault } from '../../src/secrets/openVault.ts';

const vault = openVault({ directory: process.argv[2]!, randomBytes });
for (;;) {
  const apiKey = randomBytes(32).toString('hex');
  const secret = randomBytes(32).toString('hex');
  const ref = vault.createKeyRecord({ apiKey, secret, label: apiKey, ipWhitelist: '' });
  writeSync(1, `${apiKey} ${secret} ${ref}\n`);
}
