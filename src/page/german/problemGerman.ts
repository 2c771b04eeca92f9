// German of problemMessages.

import type { TextsOf } from '../messages/language.ts';
import type { problemMessages } from '../ticket/problemText.ts';

export const problemGerman: TextsOf<typeof problemMessages> = {
  valueLeast: (least) => `Die Order muss mindestens ${least} USDT wert sein.`,
  valueMost: (most) => `Die Order darf höchstens ${most} USDT wert sein.`,
  noPrice: 'Zurzeit gibt es keinen Preis. Geben Sie die Menge in Einheiten des Marktes ein.',
  noLegPrice: 'Zurzeit gibt es keinen Preis. Geben Sie Take-Profit und Stop-Loss als Preise ein.',
  legsEmpty: 'Geben Sie einen Take-Profit oder einen Stop-Loss ein.',
  callbackRange: 'Von 0,1 bis 10 Prozent.',
  slippageRange: 'Höchstens 100 Prozent.',
  legRange: 'Weniger als 100 Prozent.',
  dateRange: 'Mindestens 10 Minuten und höchstens 90 Tage im Voraus.',
  missing: {
    trigger: 'Geben Sie einen Auslösepreis ein.',
    callback: 'Geben Sie einen Abstand ein.',
    price: 'Geben Sie einen Preis ein.',
    size: 'Geben Sie eine Menge ein.',
    goodTill: 'Geben Sie Datum und Uhrzeit ein.',
    takeProfit: 'Geben Sie den Auslösepreis des Take-Profits ein.',
    stopLoss: 'Geben Sie den Auslösepreis des Stop-Losses ein.',
  },
};
