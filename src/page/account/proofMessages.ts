// Messages of the proof of what an account is owed.

import { translated } from '../messages/language.ts';

export const proofMessages = translated('proof', {
  why:
    'Once in a while the exchange writes down what it owes to every wallet, and the contract ' +
    'that holds the money keeps the root of that list. Here your browser proves that you are in ' +
    'it.',
  noVault: 'This exchange has no contract: your money is the operator’s word.',
  noTree: 'There is no list yet. The first one is made within the hour.',
  owed: 'You were owed',
  asOf: 'As of',
  place: 'Batch of the log',
  held: 'The contract holds',
  owedToAll: 'The exchange owes all',
  noLeaf: 'The list has no row of your wallet: you were owed nothing then.',
  climbs: 'Your browser has computed the root from your amount: it is the root of the list.',
  doesNotClimb:
    'Your amount does not lead to the root of the list. Save the proof, and ask the operator.',
  anchored: (epoch: number, time: string) =>
    `The contract has kept this list since ${time}, as number ${epoch}.`,
  notAnchored: 'The contract does not keep this list yet. It should within some minutes.',
  contradicted: 'The contract keeps a list that is not of this exchange’s log. Ask the operator.',
  askWallet: 'Compare with the contract',
  walletAgrees: 'Your wallet has read the same root in the contract.',
  walletDiffers:
    'Your wallet reads another root in the contract. If it stays so, ask the operator.',
  exit: (time: string) =>
    `If no newer list comes until ${time}, everybody can take their money out of the contract ` +
    'without the exchange. Keep the proof for that.',
  save: 'Save the proof',
});
