// The functions of the vault and its token that the service calls, and the events that it reads or
// shows, as the compiler lists them: a test compares them with the committed artifact.

import { parseAbi, toEventSelector } from 'viem';

const depositedTopics = 'uint64 indexed index, address indexed account, address indexed from';

const placesOfLog = 'uint64 depositCount; uint96 withdrawn; uint64 logPosition';
const sums = 'uint64 epoch; bytes32 root; uint64 sum; uint64 deficit; uint64 leaves';

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
  `struct Anchor { ${sums}; ${placesOfLog}; bytes32 logHash; bytes32 treeHash; }`,
  'function epoch() view returns (uint64)',
  'function lastAnchor() view returns (Anchor)',
  'event Anchored(uint64 indexed epoch, bytes32 root, uint64 sum, bytes32 treeHash, Anchor anchor)',
  'function anchoredAt() view returns (uint64)',
  'function anchor(Anchor next, bytes[] signatures)',
  'function reportCount() view returns (uint64)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function report(uint64 sequence, uint64 from, uint64 to, bytes32 digest)',
  'event Reported(uint64 indexed sequence, uint64 from, uint64 to, bytes32 digest)',
  'function minimumDeposit() view returns (uint64)',
  'function instantMax() view returns (uint64)',
  'function bucketCapacity() view returns (uint64)',
  'function bucketLevel() view returns (uint64)',
  'function queueDelay() view returns (uint64)',
  'function exitSilence() view returns (uint64)',
]);

/** The events of deposits and withdrawals, which are only shown. */
export const placeAbi = parseAbi([
  `event Deposited(${depositedTopics}, uint64 units, bytes32 hash)`,
  'event Paid(bytes16 indexed id, address indexed to, uint64 units)',
  'event Failed(bytes16 indexed id, address indexed to, uint64 units)',
  'event Queued(bytes16 indexed id, address indexed to, uint64 units, uint64 readyAt)',
  'event Cancelled(bytes16 indexed id)',
]);

/** Their first topics. */
export const placeTopics = placeAbi.map((event) => toEventSelector(event));

export const tokenAbi = parseAbi(['function balanceOf(address account) view returns (uint256)']);
