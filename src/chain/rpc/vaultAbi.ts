// The functions of the vault and its token that the service calls, and the event that it reads, as
// the compiler lists them: a test compares them with the committed artifact.

import { parseAbi } from 'viem';

export const vaultAbi = parseAbi([
  'struct Deposit { address account; uint96 cumulative; }',
  'struct Payment { bytes16 id; address to; uint64 units; uint64 deadline; }',
  'function depositCount() view returns (uint64)',
  'function depositsHash() view returns (bytes32)',
  'function paidTotal() view returns (uint96)',
  'function paused() view returns (bool)',
  'function exitOpenedAt() view returns (uint64)',
  'function scale() view returns (uint256)',
  'function token() view returns (address)',
  'function depositsFrom(uint64 first, uint64 count) view returns (Deposit[] found)',
  'function withdrawalOf(bytes16 id) view returns (address to, uint64 units, uint8 state)',
  'function placeOf(bytes16 id) view returns (uint64 readyAt, uint64 generation)',
  'function queueGeneration() view returns (uint64)',
  'function signers() view returns (address[])',
  'function threshold() view returns (uint256)',
  'function pay(Payment[] payments, bytes[] signatures)',
  'function payQueued(bytes16[] ids)',
  'function cancelVoided(bytes16[] ids)',
  'function reportCount() view returns (uint64)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function report(uint64 sequence, uint64 from, uint64 to, bytes32 digest)',
  'event Reported(uint64 indexed sequence, uint64 from, uint64 to, bytes32 digest)',
]);

export const tokenAbi = parseAbi(['function balanceOf(address account) view returns (uint256)']);
