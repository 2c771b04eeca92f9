// Plays the text of a scenario. Its `wealth` line names the attackers; lines that only look are
// passed over: the tests compare them.

import { act, createStage, type Stage } from './stage.ts';

/** Throws where the text names no attackers, or where a step is rejected that has no outcome. */
export function replayText(text: string): Stage {
  const lines = text.split('\n').map((line) => line.replace(/#.*$/, '').trim());
  const wealth = lines.findLast((line) => line.startsWith('wealth '));
  if (wealth === undefined) throw new Error('the scenario has no line wealth NAME … AMOUNT');
  const names = wealth.split(/\s+/).filter((word) => /^[a-z]\w*$/.test(word));
  const stage = createStage(names.filter((name) => name !== 'wealth' && name !== 'atMost'));
  for (const line of lines) {
    const [step, outcome] = line.split('->').map((part) => part.trim().replace(/\s+/g, ' '));
    if (step === undefined || step === '' || isLook(step)) continue;
    if (!act(stage, step) && outcome === undefined) throw new Error(`${step}: was rejected`);
  }
  return stage;
}

const looks =
  /^(?:book|trades|shows|mark|openInterest|funds|events|rows|wealth|flags|liquidated|takenOver|deleveraged|reduced|shared|realized|covered|helped|charged|paid|funded|delivered|settled)\b/;
const looksAtAccount = /^[a-z]\w* (?:has|order|triggers|trigger (?!buy|sell))\b/;

const isLook = (step: string): boolean => looks.test(step) || looksAtAccount.test(step);
