// Lines at prices with a tag of their own: an order, a trigger, a position, a liquidation price. A
// tag can be dragged to another price, or moved by the arrow keys; its owner says what that means.
// The library draws the lines; the tags are elements above its canvas, so that they have focus,
// names and clicks.

import {
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  type SeriesType,
} from 'lightweight-charts';

/** A button of a tag. */
export type TagAct = {
  readonly name: string;
  readonly shown: string;
  readonly act: () => void;
  /** It may be dragged to a price, too. */
  readonly drop?: (ticks: bigint) => void;
};

export type ChartLine = {
  readonly id: string;
  readonly price: number;
  readonly title: string;
  readonly colour: string;
  readonly isDashed: boolean;
  /** Beside the title: what changes while the tag stays. */
  readonly note?: { readonly text: string; readonly tone: string };
  /** What a person who hears the page learns of the tag. */
  readonly name: string;
  /** The line can be moved to another price. */
  readonly move?: (ticks: bigint) => void;
  readonly acts: readonly TagAct[];
};

export type LineActs = {
  /** The name of the way to move a line by keys. */
  readonly hint: string;
};

type LineTagsOptions = LineActs & {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<SeriesType>;
  readonly tags: HTMLElement;
  readonly place: HTMLElement;
  /** The price step. */
  readonly tick: number;
};

/** The line of a tag changes while the tag stays: it may be under a finger. */
type Shown = {
  line: ChartLine;
  readonly drawn: IPriceLine;
  readonly tag: HTMLElement;
  readonly note: HTMLElement;
  /** Of the tag, in pixels; undefined before it was in sight. */
  width?: number;
  /** The transform that the tag has. */
  place?: string;
};

export type LineTags = {
  readonly setLines: (lines: readonly ChartLine[]) => void;
  readonly remove: () => void;
};

/** Closer tags stand side by side. */
const tagHeight = 18;
const tagGap = 6;
/** A press that moves less is a click. */
const dragLeast = 4;
/** Arrow keys with Shift. */
const longStep = 100;

export function createLineTags(options: LineTagsOptions): LineTags {
  const { series } = options;
  let shown: readonly Shown[] = [];
  // The library calls it before each drawing: whenever prices may have other places.
  const watcher = { updateAllViews: () => placeTags(shown, options) };
  series.attachPrimitive(watcher);
  const drop = ({ drawn, tag }: Shown): void => {
    series.removePriceLine(drawn);
    tag.remove();
  };
  return {
    setLines: (lines) => {
      const before = new Map(shown.map((each) => [keyOf(each.line), each]));
      shown = lines.map((line) => {
        const known = before.get(keyOf(line));
        before.delete(keyOf(line));
        if (known === undefined) return addLine(line, options);
        if (known.line.price !== line.price) known.drawn.applyOptions({ price: line.price });
        known.line = line;
        showNote(known);
        return known;
      });
      for (const gone of before.values()) drop(gone);
      placeTags(shown, options);
    },
    remove: () => {
      shown.forEach(drop);
      series.detachPrimitive(watcher);
    },
  };
}

/** What looks the same and can do the same, at any price. */
const keyOf = ({ id, title, colour, move, acts }: ChartLine): string =>
  [id, title, colour, move !== undefined, ...acts.map(({ name }) => name)].join('\n');

function placeTags(shown: readonly Shown[], { chart, series }: LineTagsOptions): void {
  const right = chart.priceScale('right').width() + tagGap;
  const { height } = chart.paneSize();
  const seen: { readonly each: Shown; readonly y: number }[] = [];
  for (const each of shown) {
    const y = series.priceToCoordinate(each.line.price);
    const isHidden = y === null || y < 0 || y > height;
    if (each.tag.hidden !== isHidden) each.tag.hidden = isHidden;
    if (!isHidden) seen.push({ each, y });
  }
  // All widths are read before anything is written: one layout, and not one for each tag.
  for (const { each } of seen) each.width ??= each.tag.offsetWidth;
  let before: { readonly y: number; readonly end: number } | undefined;
  for (const { each, y } of seen.sort((a, b) => a.y - b.y)) {
    const isClose = before !== undefined && y - before.y < tagHeight;
    const start = isClose ? before!.end + tagGap : right;
    const place = `translate(${-start}px, ${Math.round(y - tagHeight / 2)}px)`;
    if (each.place !== place) each.tag.style.setProperty('transform', place);
    each.place = place;
    before = { y, end: start + each.width! };
  }
}

function addLine(line: ChartLine, options: LineTagsOptions): Shown {
  const drawn = options.series.createPriceLine({
    price: line.price,
    color: line.colour,
    lineWidth: 1,
    lineStyle: line.isDashed ? LineStyle.Dashed : LineStyle.Solid,
    axisLabelVisible: true,
    title: '',
  });
  const tag = document.createElement('div');
  tag.className = 'chart-tag';
  tag.style.setProperty('--tag', line.colour);
  const shown: Shown = { line, drawn, tag, note: document.createElement('span') };
  tag.append(titleOf(shown, options));
  if (line.note !== undefined) tag.append(shown.note);
  showNote(shown);
  line.acts.forEach(({ name, shown: sign, drop }, at) => {
    const made = button('chart-tag-act', sign, name);
    const click = (): void => shown.line.acts[at]?.act();
    if (drop === undefined) made.addEventListener('click', click);
    else {
      const dropHere = (ticks: bigint): void => shown.line.acts[at]?.drop?.(ticks);
      makeDraggable(made, { shown, options, drop: dropHere, click });
    }
    tag.append(made);
  });
  options.tags.append(tag);
  return shown;
}

function showNote(shown: Shown): void {
  const { note, line } = shown;
  const { text = '', tone = '' } = line.note ?? {};
  if (note.textContent === text) return;
  note.textContent = text;
  note.className = `chart-tag-note ${tone}`;
  delete shown.width;
}

function titleOf(shown: Shown, options: LineTagsOptions): HTMLElement {
  const { line } = shown;
  if (line.move === undefined) {
    const title = document.createElement('span');
    title.className = 'chart-tag-title';
    title.textContent = line.title;
    return title;
  }
  const handle = button('chart-tag-title chart-tag-handle', line.title, line.name);
  handle.title = options.hint;
  const drop = (ticks: bigint): void => shown.line.move?.(ticks);
  makeDraggable(handle, { shown, options, drop });
  makeMovable(handle, { shown, options, drop });
  return handle;
}

function button(className: string, shown: string, name: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  made.textContent = shown;
  made.setAttribute('aria-label', name);
  return made;
}

type Movable = {
  readonly shown: Shown;
  readonly options: LineTagsOptions;
  readonly drop: (ticks: bigint) => void;
  /** What a press without a movement does. */
  readonly click?: () => void;
};

const ticksOf = (price: number, tick: number): bigint =>
  BigInt(Math.max(1, Math.round(price / tick)));

/** A line that follows the hand; the line itself stays until the exchange has moved it. */
function createGhost({ shown, options }: Movable) {
  const { series, tick } = options;
  let drawn: IPriceLine | undefined;
  return {
    show: (ticks: bigint): void => {
      const price = Number(ticks) * tick;
      drawn ??= series.createPriceLine({
        price,
        color: shown.line.colour,
        lineWidth: 2,
        lineStyle: LineStyle.Dotted,
        axisLabelVisible: true,
        title: '',
      });
      drawn.applyOptions({ price });
    },
    hide: (): void => {
      if (drawn !== undefined) series.removePriceLine(drawn);
      drawn = undefined;
    },
  };
}

function makeDraggable(handle: HTMLElement, movable: Movable): void {
  const { options, drop, click } = movable;
  const ghost = createGhost(movable);
  let from: number | undefined;
  let ticks: bigint | undefined;
  handle.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    from = event.clientY;
    ticks = undefined;
  });
  handle.addEventListener('pointermove', ({ clientY }) => {
    if (from === undefined) return;
    if (ticks === undefined && Math.abs(clientY - from) < dragLeast) return;
    const { series, place, tick } = options;
    const price = series.coordinateToPrice(clientY - place.getBoundingClientRect().top);
    if (price === null) return;
    ticks = ticksOf(price, tick);
    ghost.show(ticks);
  });
  handle.addEventListener('pointerup', () => {
    if (from === undefined) return;
    from = undefined;
    ghost.hide();
    if (ticks !== undefined) drop(ticks);
    else click?.();
  });
  handle.addEventListener('pointercancel', () => {
    from = undefined;
    ghost.hide();
  });
  if (click === undefined) return;
  handle.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    click();
  });
}

/** Arrow keys move the line by a step, with Shift by many; Enter drops it, Escape puts it back. */
function makeMovable(handle: HTMLElement, movable: Movable): void {
  const { shown, options, drop } = movable;
  const ghost = createGhost(movable);
  let ticks: bigint | undefined;
  const forget = (): void => {
    ticks = undefined;
    ghost.hide();
  };
  handle.addEventListener('blur', forget);
  handle.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const now = ticks ?? ticksOf(shown.line.price, options.tick);
      const next = now + BigInt(step * (event.shiftKey ? longStep : 1));
      ticks = next > 0n ? next : now;
      ghost.show(ticks);
    } else if (event.key === 'Escape') {
      forget();
    } else if (event.key === 'Enter' && ticks !== undefined) {
      event.preventDefault();
      const wanted = ticks;
      forget();
      drop(wanted);
    }
  });
}
