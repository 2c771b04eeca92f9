// Goal: on a chain, the vault's anchor is the tree of what the exchange owes, also after kill -9 and
// after thieves of k keys have anchored a root of their own; and with the published file alone all
// leave when the exchange is gone (VLT-8). Method: the real program beside a local chain.

import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, type Hex, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { addressOf, signerKeys } from '../../contracts/openVault.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import { createClient } from '../../src/client/createClient.ts';
import { proveWallet } from '../../src/solvency/tree.ts';
import { growFromFile } from '../../src/solvency/treeFile.ts';
import { finish } from '../../src/std/finish.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { bindStage, until } from './chainStage.ts';
import { onChain } from './onChain.ts';

const million = 1_000_000n;
const gasKey = keccak256(toHex('gas'));
const gasAddress = privateKeyToAccount(gasKey).address;
/** Seconds of a stretch; a clock that is ahead at each start begins another one. */
const interval = 600;
const [alice, bob] = [addressOf('alice'), addressOf('bob')];
