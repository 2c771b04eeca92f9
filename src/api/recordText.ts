// Records that are written as JSON text by hand, because nearly every answer needs them. Each is
// described once, in templates with FAPI's names, one member a line. Each surface reads the
// templates with its own tag: FAPI's is here, the native one in native/nativeRecord.ts.

/** The tag of such a template. No value in it may need escaping. */
export type RecordText = (
  parts: readonly string[],
  ...values: readonly (string | number | boolean)[]
) => string;

/**
 * Takes a function from FAPI's name of a member to the surface's name; gives the tag. Names are in
 * the fixed parts of a template, each with quotes and a colon, so that they are read once.
 */
export function recordTextNamed(nameOf: (name: string) => string): RecordText {
  const templates = new Map<readonly string[], readonly string[]>();
  const named = (part: string): string =>
    part.replace(/\s*\n\s*/g, '').replace(/"\w+":/g, (name) => nameOf(name));
  return (parts, ...values) => {
    let names = templates.get(parts);
    if (names === undefined) {
      names = parts.map(named);
      templates.set(parts, names);
    }
    let text = names[0]!;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]!;
      // Concatenation is fast when it adds only texts.
      text = text + (typeof value === 'string' ? value : String(value)) + names[at + 1]!;
    }
    return text;
  };
}

export const fapiText = recordTextNamed((name) => name);
