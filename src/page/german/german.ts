// The German texts of the page. They are loaded when German is shown. A table without German does
// not compile.

import type { Texts } from '../messages/language.ts';
import { accessGerman } from './accessGerman.ts';
import { accountGerman } from './accountGerman.ts';
import { bookGerman } from './bookGerman.ts';
import { cancelAllGerman } from './cancelAllGerman.ts';
import { chartActGerman } from './chartActGerman.ts';
import { chartGerman } from './chartGerman.ts';
import { chartViewGerman } from './chartViewGerman.ts';
import { disconnectGerman } from './disconnectGerman.ts';
import { disconnectSwitchGerman } from './disconnectSwitchGerman.ts';
import { feeGerman } from './feeGerman.ts';
import { generalGerman } from './generalGerman.ts';
import { historyGerman } from './historyGerman.ts';
import { hotkeyGerman } from './hotkeyGerman.ts';
import { keyGerman } from './keyGerman.ts';
import { layoutGerman } from './layoutGerman.ts';
import { marketGerman } from './marketGerman.ts';
import { moneyGerman } from './moneyGerman.ts';
import { orderGerman } from './orderGerman.ts';
import { positionActGerman } from './positionActGerman.ts';
import { positionGerman } from './positionGerman.ts';
import { problemGerman } from './problemGerman.ts';
import { proofGerman } from './proofGerman.ts';
import { referralGerman } from './referralGerman.ts';
import { refusalGerman } from './refusalGerman.ts';
import { refusalSentenceGerman } from './refusalSentenceGerman.ts';
import { sessionGerman } from './sessionGerman.ts';
import { settingsGerman } from './settingsGerman.ts';
import { tableGerman } from './tableGerman.ts';
import { ticketGerman } from './ticketGerman.ts';
import { tradingGerman } from './tradingGerman.ts';
import { typedGerman } from './typedGerman.ts';
import { walletGerman } from './walletGerman.ts';

export const german = {
  account: accountGerman,
  book: bookGerman,
  chart: chartGerman,
  disconnect: disconnectGerman,
  fee: feeGerman,
  general: generalGerman,
  history: historyGerman,
  hotkey: hotkeyGerman,
  key: keyGerman,
  layout: layoutGerman,
  market: marketGerman,
  money: moneyGerman,
  order: orderGerman,
  position: positionGerman,
  proof: proofGerman,
  problem: problemGerman,
  referral: referralGerman,
  refusal: refusalGerman,
  refusalSentence: refusalSentenceGerman,
  session: sessionGerman,
  table: tableGerman,
  ticket: ticketGerman,
  trading: tradingGerman,
  typed: typedGerman,
  settings: settingsGerman,
  chartAct: chartActGerman,
  chartView: chartViewGerman,
  positionAct: positionActGerman,
  wallet: walletGerman,
  access: accessGerman,
  cancelAll: cancelAllGerman,
  disconnectSwitch: disconnectSwitchGerman,
} satisfies Texts;
