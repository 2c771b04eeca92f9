// German of refusalTexts.

import type { TextsOf } from '../messages/language.ts';
import type { refusalTexts } from '../messages/refusalSentence.ts';

export const refusalSentenceGerman: TextsOf<typeof refusalTexts> = {
  wouldTrigger: () => 'Der Mark-Preis ist schon dort. Wählen Sie einen Preis davor.',
  takeProfit: (price) =>
    `Der Take-Profit eines Kaufs liegt über ${price}, der eines Verkaufs darunter.`,
  stopLoss: (price) =>
    `Der Stop-Loss eines Kaufs liegt unter ${price}, der eines Verkaufs darüber.`,
  date: () => 'Mindestens 10 Minuten und höchstens 90 Tage im Voraus.',
  callback: () => 'Von 0,1 bis 10 Prozent.',
  triggers: () => 'Mehr wartende Auslöser darf ein Konto nicht haben.',
  equity: (amount) => `So viele Auslöser brauchen ein Eigenkapital von ${amount} USDT.`,
  orders: () => 'Mehr offene Orders darf ein Konto hier nicht haben.',
  least: (amount) => `Die Order muss mindestens ${amount} USDT wert sein.`,
  most: (amount) => `Die Order darf höchstens ${amount} USDT wert sein.`,
  lot: () => 'Die Menge liegt unter dem kleinsten Schritt.',
  large: () => 'Die Menge ist zu groß.',
  filled: () => 'Davon ist schon mehr ausgeführt.',
  band: (price) => `Ein Kauf darf nicht über ${price} liegen.`,
  bandBelow: (price) => `Ein Verkauf darf nicht unter ${price} liegen.`,
  room: (leverage) => `Hier ist so viel offen, dass Neues höchstens ${leverage}x haben darf.`,
  leverage: (most) => `Eine ganze Zahl von 1 bis ${most}.`,
  halted: () => 'Der Markt ist angehalten.',
  reducing: () => 'Der Markt nimmt zurzeit nur Orders an, die eine Position verkleinern.',
  empty: () => 'Innerhalb der Preisgrenze gibt es keine Order.',
  balance: (amount) => `Höchstens ${amount} USDT sind verfügbar.`,
};
