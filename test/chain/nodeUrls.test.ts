// Several answers of one node are no agreement, however its address is spelled.

import { expect, test } from 'vitest';
import { type Action, withKey } from '../../src/bin/withKey.ts';
import { readNodeUrls, sharedHere } from '../../src/chain/nodeUrls.ts';
import { loadConfig } from '../../src/config.ts';

const start = (rpc: string) => loadConfig([], { EVERMARK_RPC: rpc }).rpc;

const repeated: readonly (readonly [string, string])[] = [
  ['https://rpc.example/v3', 'https://rpc.example/v3'],
  ['https://rpc.example', 'https://rpc.example/'],
  ['https://rpc.example/v3', 'https://RPC.Example/v3/'],
  ['https://rpc.example', 'https://rpc.example:443'],
  ['http://rpc.example:80', 'http://rpc.example'],
  ['http://rpc.example', 'https://rpc.example'],
  ['https://rpc.example', 'https://rpc.example.'],
  // Two keys of one operator are one operator.
  ['https://rpc.example/key-one', 'https://rpc.example/key-two'],
  ['https://rpc.example/?key=one', 'https://rpc.example/?key=two'],
  ['https://one:password@rpc.example', 'https://two:password@rpc.example'],
  ['http://127.0.0.1:8545', 'http://127.0.0.1:8545/'],
  ['http://127.0.0.1:8545/', 'http://localhost:8545'],
  ['http://[::1]:8545/?1', 'http://127.0.0.1:8545/?1'],
];

test.each(repeated)('one node under two spellings is refused: %s %s', (one, other) => {
  const urls = `${one},https://third.example,${other}`;
  const why = /stands there twice, at places 1 and 3: several answers of one node are no agreement/;
  expect(() => readNodeUrls(urls)).toThrow(why);
  expect(() => start(urls)).toThrow(why);
  for (const secret of ['key-one', 'key-two', 'password']) {
    expect(() => readNodeUrls(urls)).not.toThrow(secret);
  }
});

test('different nodes are accepted, and one of this machine under several names', () => {
  const others = 'https://a.example,https://b.example:8545,https://b.example:8546/x';
  expect(readNodeUrls(others)).toHaveLength(3);
  expect(start(others)).toBe(others);
  expect(sharedHere(others.split(','))).toEqual([]);
  const trial = [1, 2, 3].map((place) => `http://127.0.0.1:8545/?${place}`);
  expect(start(trial.join(','))).toBe(trial.join(','));
  expect(sharedHere([...trial, 'http://127.0.0.1:8546'])).toEqual([1, 2, 3]);
  expect(readNodeUrls('http://127.0.0.1:8545')).toHaveLength(1);
});

test('what is no address of a node is refused before a key is read', () => {
  for (const rpc of ['u', '', 'ftp://a.example', 'https://a.example,,https://b.example']) {
    expect(() => readNodeUrls(rpc)).toThrow('--rpc takes http addresses of nodes');
  }
  const given = { rpc: 'http://a.example,http://a.example', key: '/nowhere/key' };
  const act: Parameters<typeof withKey>[1] = async () => undefined;
  expect(() => withKey(given as Parameters<Action>[0] & typeof given, act)).toThrow('no agreement');
});
