// A command that makes the engine throw where nothing can be taken back any more: a credit whose
// reference, when it is about to be remembered, stops whoever remembers it. The trap lies in the
// language's own map and is there only from the command to the operator's skip record.

const { set } = Map.prototype;

export type Poison = {
  readonly reference: string;
  readonly remove: () => void;
};

export function layPoison(reference: string): Poison {
  const trapped = function <K, V>(this: Map<K, V>, key: K, value: V): Map<K, V> {
    if (key === reference) throw new Error(`poison: ${reference}`);
    return set.call(this, key, value) as Map<K, V>;
  };
  Object.defineProperty(Map.prototype, 'set', {
    value: trapped,
    writable: true,
    configurable: true,
  });
  return {
    reference,
    remove: () => {
      Object.defineProperty(Map.prototype, 'set', {
        value: set,
        writable: true,
        configurable: true,
      });
    },
  };
}
