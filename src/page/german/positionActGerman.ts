// German of positionActMessages.

import type { TextsOf } from '../messages/language.ts';
import type { positionActMessages } from '../positions/positionActMessages.ts';

export const positionActGerman: TextsOf<typeof positionActMessages> = {
  confirm: 'Bestätigen',
  keep: 'Zurück',
  closeTitle: (symbol) => `${symbol} zu einem Preis schließen`,
  price: 'Preis',
  size: 'Menge',
  tooLarge: (most) => `Höchstens ${most}.`,
  missing: 'Geben Sie eine Zahl ein.',
  reverseTitle: (symbol) => `${symbol} umkehren`,
  reverseText: (size) =>
    `Eine Marktorder schließt die Position von ${size}. Eine zweite öffnet sie umgekehrt.`,
  reverseLimits: 'Schließt ein Stop die Position zuerst, wird nichts geöffnet.',
  reverseTooLarge: (filled, whole) =>
    `Nur ${filled} von ${whole} würden jetzt ausgeführt. Nichts wurde gesendet.`,
  closedInPart: (closed, size) =>
    `Nur ${closed} von ${size} wurden geschlossen. Auf der Gegenseite wurde nichts geöffnet.`,
  notOpened: 'Position geschlossen, aber nicht umgekehrt',
  protectTitle: (symbol) => `Take-Profit und Stop-Loss von ${symbol}`,
  protectText:
    'Jeder schließt die ganze Position, wenn der Mark dort ist. Einer beendet den anderen.',
  takeProfit: 'Take-Profit bei',
  takeProfitPrice: 'TP-Limit',
  stopLoss: 'Stop-Loss bei',
  stopLossPrice: 'SL-Limit',
  atMarket: 'Markt',
  expected: (amount) => `${amount} USDT vor Gebühren`,
  remove: 'Entfernen',
  nothingChanged: 'Nichts wurde geändert.',
  triggerMissing: 'Geben Sie den Preis ein, bei dem er auslöst.',
  mark: 'Mark',
  liquidation: 'Liquidation',
  entry: 'Einstieg',
  beyond: (price) =>
    `Die Liquidation kommt zuerst, bei ${price}: Dieser Stop schützt die Position nicht.`,
  collateralTitle: (symbol) => `Sicherheit von ${symbol}`,
  collateralNow: 'Sicherheit',
  available: 'Verfügbar',
  amount: 'Betrag',
  add: 'Hinzufügen',
  take: 'Entnehmen',
};
