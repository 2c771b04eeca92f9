// Keccak-256, the hash of Ethereum's contracts, with its original padding. The engine computes
// it, and an engine that is kept beside a log can load no package; the tests compare it with one.

const rateBytes = 136;

/** The constants of the 24 rounds, each as its low and its high half. */
const roundConstants = makeRoundConstants();

/** Bits that lane x + 5 y turns left, by its number. */
const rotations = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
];

/** The 32 bytes of the hash. */
export function keccak256(message: Uint8Array): Uint8Array {
  const blocks = Math.floor(message.length / rateBytes) + 1;
  const padded = new Uint8Array(blocks * rateBytes);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1]! |= 0x80;
  const input = new DataView(padded.buffer);
  // Lane i lies at 2 i (its low half) and 2 i + 1.
  const state = new Int32Array(50);
  for (let at = 0; at < padded.length; at += rateBytes) {
    for (let word = 0; word < rateBytes / 4; word += 1) {
      state[word]! ^= input.getInt32(at + 4 * word, true);
    }
    permute(state);
  }
  const hash = new Uint8Array(32);
  const output = new DataView(hash.buffer);
  for (let word = 0; word < 8; word += 1) output.setInt32(4 * word, state[word]!, true);
  return hash;
}

function permute(state: Int32Array): void {
  const moved = new Int32Array(50);
  const parity = new Int32Array(10);
  for (let round = 0; round < 24; round += 1) {
    mixColumns(state, parity);
    moveLanes(state, moved);
    for (let at = 0; at < 50; at += 1) {
      const row = at - (at % 10);
      state[at] = moved[at]! ^ (~moved[row + ((at + 2) % 10)]! & moved[row + ((at + 4) % 10)]!);
    }
    state[0]! ^= roundConstants[2 * round]!;
    state[1]! ^= roundConstants[2 * round + 1]!;
  }
}

/** θ: each lane takes in the parities of the column before it and, turned by a bit, behind it. */
function mixColumns(state: Int32Array, parity: Int32Array): void {
  for (let at = 0; at < 10; at += 1) {
    parity[at] = state[at]! ^ state[at + 10]! ^ state[at + 20]! ^ state[at + 30]! ^ state[at + 40]!;
  }
  for (let x = 0; x < 5; x += 1) {
    const before = 2 * ((x + 4) % 5);
    const behind = 2 * ((x + 1) % 5);
    const [low, high] = [parity[behind]!, parity[behind + 1]!];
    const lowMix = parity[before]! ^ ((low << 1) | (high >>> 31));
    const highMix = parity[before + 1]! ^ ((high << 1) | (low >>> 31));
    for (let y = 0; y < 50; y += 10) {
      state[y + 2 * x]! ^= lowMix;
      state[y + 2 * x + 1]! ^= highMix;
    }
  }
}

/** ρ and π: lane (x, y), turned, becomes lane (y, 2 x + 3 y). */
function moveLanes(state: Int32Array, moved: Int32Array): void {
  for (let lane = 0; lane < 25; lane += 1) {
    const x = lane % 5;
    const y = Math.floor(lane / 5);
    const target = 2 * (y + 5 * ((2 * x + 3 * y) % 5));
    const turn = rotations[lane]!;
    const isSwapped = turn >= 32;
    const low = state[2 * lane + (isSwapped ? 1 : 0)]!;
    const high = state[2 * lane + (isSwapped ? 0 : 1)]!;
    const bits = turn % 32;
    // A shift by 32 would be one by 0.
    moved[target] = bits === 0 ? low : (low << bits) | (high >>> (32 - bits));
    moved[target + 1] = bits === 0 ? high : (high << bits) | (low >>> (32 - bits));
  }
}

/** By the shift register of the standard: bit 2^j − 1 of each round's constant. */
function makeRoundConstants(): Int32Array {
  const constants = new Int32Array(48);
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    for (let j = 0; j < 7; j += 1) {
      const bit = 2 ** j - 1;
      if ((register & 1) === 1) constants[2 * round + (bit >= 32 ? 1 : 0)]! ^= 1 << (bit % 32);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  }
  return constants;
}
