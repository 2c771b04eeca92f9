// POST /operator/accounts/{address}/credit (OPS-1): money from outside, once for each reference.
// Later trading changes nothing in the answer, so that a repetition gets the first answer.

import { Type } from 'typebox';
import { decimalText, exactObject, plainText, walletText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { moneyText } from '../grid.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { decimalParameter, textParameter } from '../parameterSchema.ts';
import { readTypedMoney } from '../readExactMoney.ts';
import { walletParameter } from '../walletParameter.ts';

/** References of credits, of accounts and of the insurance fund: they share one namespace. */
export const referenceLengthMax = 128;

export const creditAccount = defineCommand({
  name: 'creditAccount',
  surface: 'operator',
  method: 'POST',
  path: '/operator/accounts/:address/credit',
  auth: 'operator',
  weight: 1,
  summary: 'Credits USDT to an account, once per reference; creates the account.',
  parameters: Type.Object({
    address: walletParameter(),
    amount: decimalParameter({ description: 'USDT above 0, at most six decimals.' }),
    reference: textParameter({ lengthMax: referenceLengthMax }),
  }),
  failures: [...commandRejections.credit, 'walletAddressInvalid'],
  response: exactObject({
    address: walletText(),
    amount: decimalText(),
    reference: plainText('As it was sent.'),
  }),
  command: ({ deployment }, { address: sent, amount: text, reference }) => {
    const address = deployment.login.parseAddress(sent);
    if (address === undefined) return { reason: 'walletAddressInvalid' };
    const amount = readTypedMoney(text, 'amount');
    if (typeof amount !== 'number') return amount;
    if (amount <= 0) return { reason: 'quantityInvalid', name: 'amount' };
    return {
      command: { kind: 'credit', address, amount, reference },
      lane: 'reserve',
      answer: (outcome) =>
        outcome.kind === 'rejected'
          ? outcome.rejection
          : answerJson({ address, amount: moneyText(amount), reference }),
    };
  },
});
