// Tabs: one is chosen. Arrow keys move among them, as the pattern of tabs asks.

import { useRef } from 'preact/hooks';
import './tabs.css';

export type TabItem<Id extends string> = {
  readonly id: Id;
  readonly label: string;
  /** Shown behind the label, outside of its name. */
  readonly count?: number | undefined;
};

export type TabsProps<Id extends string> = {
  readonly label: string;
  readonly items: readonly TabItem<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  /** The id of the element that the tabs control. */
  readonly panel?: string;
};

export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, items, chosen, onChoose, panel } = props;
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = items.findIndex(({ id }) => id === chosen);
    const next = (at + step + items.length) % items.length;
    onChoose(items[next]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {items.map(({ id, label: name, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          class="tab"
          aria-selected={id === chosen}
          aria-label={name}
          data-count={count === undefined || count === 0 ? undefined : count}
          aria-controls={panel}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
