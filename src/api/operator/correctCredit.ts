// POST /operator/accounts/{address}/credit/correct (OPS-1b): makes a credit smaller, and takes the
// difference from what the account could withdraw.

import { Type } from 'typebox';
import { decimalText, exactObject, plainText, walletText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { moneyText } from '../grid.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { decimalParameter, textParameter } from '../parameterSchema.ts';
import { readTypedMoney } from '../readExactMoney.ts';
import { walletParameter } from '../walletParameter.ts';
import { referenceLengthMax } from './creditAccount.ts';

export const correctCredit = defineCommand({
  name: 'correctCredit',
  surface: 'operator',
  method: 'POST',
  path: '/operator/accounts/:address/credit/correct',
  auth: 'operator',
  weight: 1,
  summary: 'Makes a credit smaller and takes the difference back, once per reference.',
  parameters: Type.Object({
    address: walletParameter(),
    credit: textParameter({
      lengthMax: referenceLengthMax,
      description: 'The reference of the credit that was wrong.',
    }),
    amount: decimalParameter({
      description: 'What the credit should be, USDT: 0 or more, and less than it is.',
    }),
    reference: textParameter({
      lengthMax: referenceLengthMax,
      description: 'Of the correction itself.',
    }),
  }),
  failures: [...commandRejections.correctCredit, 'walletAddressInvalid'],
  response: exactObject({
    address: walletText(),
    credit: plainText('As it was sent.'),
    amount: decimalText('What the credit is now.'),
    reference: plainText('As it was sent.'),
  }),
  command: ({ deployment }, { address: sent, credit, amount: text, reference }) => {
    const address = deployment.login.parseAddress(sent);
    if (address === undefined) return { reason: 'walletAddressInvalid' };
    const amount = readTypedMoney(text, 'amount');
    if (typeof amount !== 'number') return amount;
    if (amount < 0) return { reason: 'quantityInvalid', name: 'amount' };
    return {
      command: { kind: 'correctCredit', address, credit, amount, reference },
      lane: 'reserve',
      answer: (outcome) =>
        outcome.kind === 'rejected'
          ? outcome.rejection
          : answerJson({ address, credit, amount: moneyText(amount), reference }),
    };
  },
});
