// What a client does about each code of the futures API, for people who write one. A code without
// advice does not compile. The page of errors shows it beside the reasons and their texts.

import type { FapiCode } from './wireError.ts';

const repeatLater = 'Nothing was executed. Repeat the request after a pause, longer each time.';
const readTheRecord =
  'Read the orders or the record that the request was about before you send anything again.';

export const fapiAdvice: Readonly<Record<FapiCode, string>> = {
  [-1000]: `Path or id are unknown (404), or the exchange is at fault (500). ${readTheRecord}`,
  [-1001]: 'Ask whether it was executed, by your own id, before you send it again.',
  [-1003]: `${repeatLater} X-MBX-USED-WEIGHT-1M says how much of the minute is used.`,
  [-1007]: 'Ask again in a second: history is catching up.',
  [-1008]: 'New orders wait until the exchange has room; cancels work.',
  [-1013]: 'Read the filters of the symbol in GET /fapi/v1/exchangeInfo, and keep to them.',
  [-1021]: 'Set the clock of your machine, or correct it by GET /fapi/v1/time.',
  [-1022]:
    'Sign the query without signature, followed by the body, byte for byte as they are sent, ' +
    'with the secret of this key.',
  [-1100]: 'Correct the parameter that the text names: its characters, its length or its steps.',
  [-1102]: 'Send the parameter that the text names, once and in its documented form.',
  [-1106]: 'Leave the parameter out that the text names.',
  [-1120]: 'Take one of the intervals or periods that the reference lists.',
  [-1121]: 'Take the symbol from GET /fapi/v1/exchangeInfo.',
  [-1125]: 'Open a new key: POST /fapi/v1/listenKey.',
  [-1130]: 'Send one of the values that the reference lists.',
  [-2010]:
    'A rule of the exchange refuses the order, and the text says which: the market is closed, a ' +
    'limit is reached, or the order would not fill as it asks. Change the order or wait.',
  [-2011]: 'The order has already ended. Read it: it may have filled.',
  [-2013]: 'Read your open orders. An order that has ended long ago is in allOrders.',
  [-2014]:
    'An open order has this id. If your last request had no answer, it is that order: read it.',
  [-2015]: 'Check the key, its status and its address list, and that it is of this deployment.',
  [-2019]: 'Deposit, cancel orders, or send a smaller quantity.',
  [-2021]: 'The mark has already passed the stop price. Send a LIMIT or MARKET order instead.',
  [-2022]: 'Read the position: it is smaller than you think, or has another side.',
  [-2027]: 'Send a smaller quantity or set a lower leverage; the text names the bound.',
  [-4016]: 'Send a lower price; the text names the bound.',
  [-4024]: 'Send a higher price; the text names the bound.',
  [-4028]: 'Take a whole number from 1 to the largest leverage of the symbol.',
  [-4046]: 'The account keeps its margin mode here; the native routes change it.',
  [-4059]: 'Use one-way mode: positionSide BOTH.',
};
