// The dialog of settings: language, theme, colours, times, hotkeys, cancel on
// disconnect, and the parts that are shown.

import { useId } from 'preact/hooks';
import { Choice } from '../components/Choice.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import { languageNames, languages } from '../messages/language.ts';
import { clocks, palettes, parts, tablesHeights, themes } from '../state/preferences.ts';
import { DisconnectSwitch } from './DisconnectSwitch.tsx';
import { layoutMessages } from './layoutMessages.ts';
import { settingsMessages } from './settingsMessages.ts';
import './settings.css';

export function Settings({ onClose }: { onClose: () => void }) {
  const { preferences } = usePage();
  const { language, theme, palette, clock, flash, hotkeys } = preferences;
  const text = settingsMessages();
  return (
    <Dialog title={layoutMessages().settings} onClose={onClose}>
      <div class="settings">
        <ChoiceLine label={text.language} of={language} values={languages} names={languageNames} />
        <ChoiceLine label={text.theme} of={theme} values={themes} names={text.themes} />
        <ChoiceLine label={text.palette} of={palette} values={palettes} names={text.palettes} />
        <ChoiceLine label={text.clock} of={clock} values={clocks} names={text.clocks} />
        <Switch label={text.flash} isOn={flash.value} onTurn={(isOn) => (flash.value = isOn)} />
        <Switch
          label={layoutMessages().hotkeys}
          isOn={hotkeys.value}
          onTurn={(isOn) => (hotkeys.value = isOn)}
        />
        <DisconnectSwitch />
        <LayoutSettings />
      </div>
    </Dialog>
  );
}

/** Of a desktop; a phone shows one part at a time. */
function LayoutSettings() {
  const { hiddenParts, tablesHeight } = usePage().preferences;
  const text = settingsMessages();
  const hidden = hiddenParts.value;
  return (
    <fieldset class="settings-layout">
      <legend>{text.shown}</legend>
      {parts.map((part) => (
        <Switch
          key={part}
          label={text.parts[part]}
          isOn={!hidden.includes(part)}
          onTurn={(isOn) => {
            const others = hidden.filter((each) => each !== part);
            hiddenParts.value = isOn ? others : [...others, part];
          }}
        />
      ))}
      <button
        type="button"
        class="button-small"
        onClick={() => {
          hiddenParts.value = [];
          tablesHeight.value = tablesHeights.usual;
        }}
      >
        {text.usualLayout}
      </button>
    </fieldset>
  );
}

type SwitchProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
};

function Switch({ label, isOn, onTurn }: SwitchProps) {
  return (
    <label class="setting">
      <span>{label}</span>
      <input
        id={useId()}
        type="checkbox"
        checked={isOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
    </label>
  );
}

type LineProps<T extends string> = Omit<Parameters<typeof Choice<T>>[0], 'id'>;

function ChoiceLine<T extends string>(props: LineProps<T>) {
  const id = useId();
  return (
    <div class="setting">
      <label for={id}>{props.label}</label>
      <Choice {...props} id={id} />
    </div>
  );
}
