// Puts all mutants of a source into one text, each behind a switch. So a process that has loaded
// the sources once can judge any of them without loading anything again.

import type { Findings, Mutant } from './findMutants.ts';

/** What the instrumented text uses at run time; there is one, at globalThis.__mutation. */
export type Switchboard = {
  /** The number of the mutant that is on; 0 is none. */
  active: number;
  /** By place: whether a test reached it. */
  hits: Uint8Array;
  /** Assigns every top-level constant anew, after `active` has changed. */
  readonly constants: (() => void)[];
  /** The functions that a mutant may call and that its source does not import. */
  swap: object;
  /** Counts an iteration of a loop; throws when there were too many. */
  turn(): void;
};

type Site = {
  readonly form: Mutant['form'];
  readonly start: number;
  readonly end: number;
  readonly mutants: readonly { readonly number: number; readonly text: string }[];
};

const on = (number: number): string => `__mutation.active===${number}`;
const isHit = (site: Site): string => `__mutation.hits[${site.mutants[0]!.number}]=1`;

/**
 * The text with its mutants, numbered from `first`. The number of its first mutant identifies a
 * place: `placesOf` gives that number.
 */
export function instrument(text: string, findings: Findings, first: number): string {
  const sites = sitesOf(findings, first);
  let instrumented = '';
  let at = 0;
  for (const constant of findings.constants) {
    instrumented += `${render(text, sites, { start: at, end: constant.start })}let`;
    const { init } = constant;
    const value = render(text, sites, init);
    const before = text.slice(constant.start + 'const'.length, init.start);
    const again = `;__mutation.constants.push(()=>{${constant.name}=(${value})});`;
    instrumented += `${before}${value}${text.slice(init.end, constant.end)}${again}`;
    at = constant.end;
  }
  const rest = render(text, sites, { start: at, end: text.length });
  return `const __mutation=globalThis.__mutation;${instrumented}${rest}`;
}

/** For each mutant, the number whose hit shows that a test has reached it. */
export function placesOf(findings: Findings, first: number): number[] {
  const places: number[] = [];
  for (const { mutants } of sitesOf(findings, first)) {
    for (const { number } of mutants) places[number - first] = mutants[0]!.number;
  }
  return places;
}

/** Mutants grouped by place, outer places before inner ones; at each place loops come first. */
function sitesOf({ mutants, loopBodies }: Findings, first: number): Site[] {
  const sites = new Map<string, Site & { mutants: { number: number; text: string }[] }>();
  for (const [index, { form, start, end, text }] of mutants.entries()) {
    const key = `${start} ${end} ${form}`;
    const site = sites.get(key) ?? { form, start, end, mutants: [] };
    site.mutants.push({ number: first + index, text });
    sites.set(key, site);
  }
  const loops = loopBodies.filter(({ start, end }) => !sites.has(`${start} ${end} loop`));
  const turns = loops.map(({ start, end }) => ({ form: 'loop' as const, start, end, mutants: [] }));
  return [...sites.values(), ...turns].sort(
    (a, b) => a.start - b.start || b.end - a.end || rankOf(a.form) - rankOf(b.form),
  );
}

const rankOf = (form: Mutant['form']): number =>
  ['loop', 'statement', 'entry', 'expression'].indexOf(form);

/** The text of a span with a switch at every site in it; `sites` are in order and nest. */
function render(
  text: string,
  sites: readonly Site[],
  { start, end }: { readonly start: number; readonly end: number },
): string {
  let rendered = '';
  let at = start;
  for (const [index, site] of sites.entries()) {
    if (site.start < at || site.end > end) continue;
    rendered += text.slice(at, site.start);
    rendered += renderSite(text, sites.slice(index + 1), site);
    at = site.end;
  }
  return rendered + text.slice(at, end);
}

function renderSite(text: string, inner: readonly Site[], site: Site): string {
  const own = render(text, inner, site);
  const [only] = site.mutants;
  if (site.form === 'loop') {
    const skip = only === undefined ? '' : `${isHit(site)};if(${on(only.number)})break;`;
    return `{__mutation.turn();${skip}${own}}`;
  }
  if (site.form === 'entry') {
    return `{${isHit(site)};if(${on(only!.number)})return;${own.slice(1)}`;
  }
  if (site.form === 'statement') {
    return `{${isHit(site)};if(${on(only!.number)});else ${own}}`;
  }
  // The zeros prevent that `? (a) : (b)` reads as an arrow function with a type.
  const choices = site.mutants.map(({ number, text: instead }) => `${on(number)}?(0,${instead}):`);
  return `(${isHit(site)},${choices.join('')}(0,${own}))`;
}
