// Short notices at the edge of the page: what was done, what was refused, what happened to the
// account.

import { type ReadonlySignal, signal } from '@preact/signals';

export type NoticeKind = 'good' | 'bad' | 'plain';

export type Notice = {
  readonly id: number;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
};

export type Notices = {
  readonly shown: ReadonlySignal<readonly Notice[]>;
  readonly say: (notice: Omit<Notice, 'id'>) => void;
  readonly dismiss: (id: number) => void;
};

const shownMax = 5;
const shownMs = 6000;
/** What went wrong stays until it can be read. */
const badShownMs = 12_000;

export function createNotices(later: (step: () => void, milliseconds: number) => void): Notices {
  const shown = signal<readonly Notice[]>([]);
  let lastId = 0;
  const dismiss = (id: number): void => {
    shown.value = shown.value.filter((each) => each.id !== id);
  };
  return {
    shown,
    dismiss,
    say: (notice) => {
      lastId += 1;
      const id = lastId;
      shown.value = [...shown.value.slice(1 - shownMax), { ...notice, id }];
      later(() => dismiss(id), notice.kind === 'bad' ? badShownMs : shownMs);
    },
  };
}
