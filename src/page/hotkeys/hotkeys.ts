// The hotkeys of the page, each with its key. They are off until the person switches them on in the
// settings: some of them send orders.

export const hotkeys = {
  buy: 'Shift+B',
  sell: 'Shift+S',
  cancelAll: 'Shift+X',
  limit: 'L',
  market: 'M',
  price: 'P',
  size: 'Z',
  quarter: '1',
  half: '2',
  threeQuarters: '3',
  all: '4',
  reduceOnly: 'R',
  list: '?',
} as const;

export type Hotkey = keyof typeof hotkeys;

export const hotkeyNames = Object.keys(hotkeys) as readonly Hotkey[];

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Where the focus is: in a field for numbers letters mean nothing else, digits are its text. */
export type FocusPlace = 'page' | 'number' | 'other';

/** The hotkey of a press; undefined for any other key, and for keys that belong to a field. */
export function hotkeyOf(pressed: Pressed, place: FocusPlace): Hotkey | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = pressed;
  if (ctrlKey || metaKey || altKey || place === 'other') return undefined;
  const isLetter = /^[a-z]$/i.test(key);
  if (place === 'number' && !isLetter) return undefined;
  const name = isLetter ? `${shiftKey ? 'Shift+' : ''}${key.toUpperCase()}` : key;
  return hotkeyNames.find((each) => hotkeys[each] === name);
}
