// German of proofMessages.

import type { proofMessages } from '../account/proofMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const proofGerman: TextsOf<typeof proofMessages> = {
  why:
    'Immer wieder schreibt die Börse auf, was sie jedem Wallet schuldet, und der Vertrag, in dem ' +
    'das Geld liegt, merkt sich die Wurzel dieser Liste. Hier beweist Ihr Browser, dass Sie ' +
    'darin stehen.',
  noVault: 'Diese Börse hat keinen Vertrag: Für Ihr Geld steht ihr Betreiber allein.',
  noTree: 'Es gibt noch keine Liste. Die erste entsteht innerhalb einer Stunde.',
  owed: 'Ihr Guthaben',
  asOf: 'Stand',
  place: 'Stelle im Log',
  held: 'Im Vertrag liegen',
  owedToAll: 'Geschuldet, allen zusammen',
  noLeaf: 'In der Liste steht Ihr Wallet nicht: Sie hatten zu dieser Zeit kein Guthaben.',
  climbs: 'Ihr Browser hat aus Ihrem Betrag die Wurzel berechnet: Es ist die der Liste.',
  doesNotClimb:
    'Ihr Betrag führt nicht zur Wurzel der Liste. Speichern Sie den Beweis und fragen Sie den ' +
    'Betreiber.',
  anchored: (epoch, time) => `Der Vertrag kennt diese Liste seit ${time}, als Nummer ${epoch}.`,
  notAnchored: 'Der Vertrag kennt diese Liste noch nicht. Das sollte wenige Minuten dauern.',
  contradicted:
    'Der Vertrag kennt eine Liste, die nicht zum Log dieser Börse passt. Fragen Sie den Betreiber.',
  askWallet: 'Mit dem Vertrag vergleichen',
  walletAgrees: 'Ihr Wallet hat dieselbe Wurzel im Vertrag gelesen.',
  walletDiffers:
    'Ihr Wallet liest eine andere Wurzel im Vertrag. Bleibt das so, fragen Sie den Betreiber.',
  exit: (time) =>
    `Kommt bis ${time} keine neuere Liste, können alle ihr Geld ohne die Börse aus dem Vertrag ` +
    'holen. Bewahren Sie den Beweis dafür auf.',
  save: 'Beweis speichern',
};
