// One side of the book on the screen. It changes many times a second, so it writes text nodes
// itself: absolute cells of equal height, no component and no layout of the page around it.

import { stopwatchMs } from '../../std/clock.ts';
import { el } from './el.ts';

export type LadderCells = {
  readonly price: string;
  readonly size: string;
  readonly sum: string;
  /** 0 to 1: how long the bar is. */
  readonly part: number;
  readonly isOwn: boolean;
};

type RowView = {
  readonly element: HTMLElement;
  readonly price: Text;
  readonly size: Text;
  readonly sum: Text;
  readonly bar: HTMLElement;
  cells: LadderCells | undefined;
  /** When its light goes out, by the stopwatch; 0 without a light. */
  litUntil: number;
};

export type LadderView = {
  readonly element: HTMLElement;
  /** Best first; what is missing is empty. */
  readonly show: (rows: readonly LadderCells[], options: { readonly flash: boolean }) => void;
  /** How many rows have room. */
  readonly setCount: (count: number) => void;
};

export const ladderRowHeight = 20;

export type LadderOptions = {
  readonly side: 'bids' | 'asks';
  readonly label: string;
  readonly onPrice: (row: number) => void;
  readonly onSum: (row: number) => void;
};

export function createLadder({ side, label, onPrice, onSum }: LadderOptions): LadderView {
  const element = el('div', `ladder ladder-${side}`);
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', label);
  const rows: RowView[] = [];
  const rowOf = (target: EventTarget | null): number =>
    rows.findIndex((row) => target instanceof Node && row.element.contains(target));
  element.addEventListener('click', ({ target }) => {
    const at = rowOf(target);
    if (at < 0) return;
    if (target instanceof Element && target.closest('.ladder-sum') !== null) onSum(at);
    else onPrice(at);
  });
  element.addEventListener('keydown', (event) => {
    const at = rowOf(event.target);
    const up = side === 'asks' ? 1 : -1;
    const step = event.key === 'ArrowUp' ? up : event.key === 'ArrowDown' ? -up : 0;
    const next = rows[at + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    next.element.focus();
  });
  // A light that fades would cost a drawing of the page in each of its frames.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const putOut = (): void => {
    timer = undefined;
    const now = stopwatchMs();
    for (const row of rows) if (row.litUntil !== 0 && row.litUntil <= now) light(row, 0);
    watchLights();
  };
  const watchLights = (): void => {
    if (timer === undefined && rows.some(({ litUntil }) => litUntil !== 0)) {
      timer = setTimeout(putOut, litMs);
    }
  };
  return {
    element,
    setCount: (count) => {
      for (const { element: gone } of rows.splice(count)) gone.remove();
      while (rows.length < count) rows.push(addRow(element, rows.length, side));
    },
    show: (cells, { flash }) => {
      rows.forEach((row, at) => {
        if (showRow(row, cells[at]) && flash) light(row, stopwatchMs() + litMs);
      });
      watchLights();
    },
  };
}

function addRow(ladder: HTMLElement, at: number, side: 'bids' | 'asks'): RowView {
  const element = el('button', 'ladder-row');
  element.type = 'button';
  // One stop for the keyboard; arrow keys move from there.
  element.tabIndex = at === 0 ? 0 : -1;
  element.style.setProperty(side === 'asks' ? 'bottom' : 'top', `${at * ladderRowHeight}px`);
  const bar = el('span', 'ladder-bar');
  const [price, size, sum] = [new Text(), new Text(), new Text()];
  const cell = (name: string, text: Text): HTMLElement => {
    const made = el('span', name);
    made.append(text);
    return made;
  };
  element.append(
    bar,
    cell('ladder-price', price),
    cell('ladder-size', size),
    cell('ladder-sum', sum),
  );
  element.hidden = true;
  ladder.append(element);
  return { element, price, size, sum, bar, cells: undefined, litUntil: 0 };
}

const hundred = 100;

/** Returns whether the size at this price has changed. */
function showRow(row: RowView, cells: LadderCells | undefined): boolean {
  const before = row.cells;
  row.cells = cells;
  if (cells === undefined) {
    if (before !== undefined) row.element.hidden = true;
    return false;
  }
  if (before === undefined) row.element.hidden = false;
  if (before?.price !== cells.price) row.price.data = cells.price;
  if (before?.sum !== cells.sum) row.sum.data = cells.sum;
  if (before?.size !== cells.size) row.size.data = cells.size;
  const percent = Math.round(cells.part * hundred);
  if (before === undefined || Math.round(before.part * hundred) !== percent) {
    row.bar.style.setProperty('transform', `scaleX(${percent / hundred})`);
  }
  if (before?.isOwn !== cells.isOwn) row.element.classList.toggle('own', cells.isOwn);
  return before !== undefined && before.price === cells.price && before.size !== cells.size;
}

/** How long a changed size is lit. */
const litMs = 300;

function light(row: RowView, until: number): void {
  if ((row.litUntil === 0) !== (until === 0)) row.element.classList.toggle('lit', until !== 0);
  row.litUntil = until;
}
