// Short notices at the edge of the page: what was done, what was refused, what happened to the
// account. The last ones stay in a list.

import { type ReadonlySignal, signal } from '@preact/signals';

export type NoticeKind = 'good' | 'bad' | 'plain';

export type Notice = {
  readonly id: number;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  /** The order whose fill it reports. */
  readonly order?: string;
};

export type PastNotice = Notice & { readonly time: number };

export type Notices = {
  readonly shown: ReadonlySignal<readonly Notice[]>;
  /** Newest first; until the person leaves. */
  readonly past: ReadonlySignal<readonly PastNotice[]>;
  /** Of the past ones, those that came since the list was last open. */
  readonly unread: ReadonlySignal<number>;
  readonly say: (notice: Omit<Notice, 'id'>) => void;
  /** Puts a notice of that time in the list without showing it. */
  readonly note: (notice: Omit<Notice, 'id'>, time: number) => void;
  readonly dismiss: (id: number) => void;
  /** The person has the list before them. */
  readonly read: () => void;
  /** Forgets all: another person may come. */
  readonly forget: () => void;
};

export type NoticesOptions = {
  readonly later: (step: () => void, milliseconds: number) => void;
  /** The exchange's time. */
  readonly now: () => number;
};

const shownMax = 5;
const pastMax = 200;
const shownMs = 6000;
/** What went wrong stays until it can be read. */
const badShownMs = 12_000;

export function createNotices({ later, now }: NoticesOptions): Notices {
  const shown = signal<readonly Notice[]>([]);
  const past = signal<readonly PastNotice[]>([]);
  const unread = signal(0);
  let lastId = 0;
  const dismiss = (id: number): void => {
    shown.value = shown.value.filter((each) => each.id !== id);
  };
  const keep = (notice: Omit<Notice, 'id'>, time: number): Notice => {
    lastId += 1;
    const kept = { ...notice, id: lastId };
    past.value = [{ ...kept, time }, ...past.value]
      .toSorted((a, b) => b.time - a.time || b.id - a.id)
      .slice(0, pastMax);
    unread.value = Math.min(pastMax, unread.value + 1);
    return kept;
  };
  return {
    shown,
    past,
    unread,
    dismiss,
    say: (notice) => {
      const kept = keep(notice, now());
      shown.value = [...shown.value.slice(1 - shownMax), kept];
      later(() => dismiss(kept.id), notice.kind === 'bad' ? badShownMs : shownMs);
    },
    note: (notice, time) => {
      keep(notice, time);
    },
    read: () => {
      unread.value = 0;
    },
    forget: () => {
      shown.value = [];
      past.value = [];
      unread.value = 0;
    },
  };
}
