// POST /operator/insurance-fund/credit (OPS-1): money from outside for the insurance fund, once for
// each reference. As with an account's credit, later trading changes nothing in the answer.

import { Type } from 'typebox';
import { decimalText, exactObject, plainText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { moneyText } from '../grid.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { decimalParameter, textParameter } from '../parameterSchema.ts';
import { readTypedMoney } from '../readExactMoney.ts';
import { referenceLengthMax } from './creditAccount.ts';

export const creditInsurance = defineCommand({
  name: 'creditInsurance',
  surface: 'operator',
  method: 'POST',
  path: '/operator/insurance-fund/credit',
  auth: 'operator',
  weight: 1,
  summary: 'Credits USDT to the insurance fund, once per reference; repays the shortfall first.',
  parameters: Type.Object({
    amount: decimalParameter({ description: 'USDT above 0, at most six decimals.' }),
    reference: textParameter({ lengthMax: referenceLengthMax }),
  }),
  failures: commandRejections.creditInsurance,
  response: exactObject({ amount: decimalText(), reference: plainText('As it was sent.') }),
  command: (_context, { amount: text, reference }) => {
    const amount = readTypedMoney(text, 'amount');
    if (typeof amount !== 'number') return amount;
    if (amount <= 0) return { reason: 'quantityInvalid', name: 'amount' };
    return {
      command: { kind: 'creditInsurance', amount, reference },
      lane: 'reserve',
      answer: (outcome) =>
        outcome.kind === 'rejected'
          ? outcome.rejection
          : answerJson({ amount: moneyText(amount), reference }),
    };
  },
});
