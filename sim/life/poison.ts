// A command that makes the engine throw where a change can no longer be undone: a credit whose
// reference throws when the engine is about to remember it. The trap is in the language's own map
// and exists only from the command to the operator's skip record.

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
