// The dialog of settings: language, theme, colours, times.

import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import { languageNames, languages } from '../messages/language.ts';
import { clocks, palettes, themes } from '../state/preferences.ts';
import { layoutMessages } from './layoutMessages.ts';
import './settings.css';

export function Settings({ onClose }: { onClose: () => void }) {
  const { preferences } = usePage();
  const { language, theme, palette, clock, flash } = preferences;
  const text = layoutMessages();
  return (
    <Dialog title={text.settings} onClose={onClose}>
      <div class="settings">
        <Choice label={text.language} of={language} values={languages} names={languageNames} />
        <Choice label={text.theme} of={theme} values={themes} names={text.themes} />
        <Choice label={text.palette} of={palette} values={palettes} names={text.palettes} />
        <Choice label={text.clock} of={clock} values={clocks} names={text.clocks} />
        <label class="setting">
          <span>{text.flash}</span>
          <input
            type="checkbox"
            checked={flash.value}
            onChange={(event) => {
              flash.value = event.currentTarget.checked;
            }}
          />
        </label>
      </div>
    </Dialog>
  );
}

type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly of: Signal<T>;
  readonly values: readonly T[];
  readonly names: Readonly<Record<T, string>>;
};

function Choice<T extends string>({ label, of, values, names }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div class="setting">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="select"
        value={of.value}
        onChange={(event) => {
          of.value = event.currentTarget.value as T;
        }}
      >
        {values.map((value) => (
          <option key={value} value={value}>
            {names[value]}
          </option>
        ))}
      </select>
    </div>
  );
}
