// Records that are written as JSON text by hand, because nearly every answer needs them: each is
// described once, in templates with FAPI's names, a member a line. Each surface reads the templates
// by a tag of its own: FAPI's is here, the native one in native/nativeRecord.ts.

/** The tag of such a template. Nothing between its parts may need escaping. */
export type RecordText = (
  parts: readonly string[],
  ...values: readonly (string | number | boolean)[]
) => string;

/**
 * Takes what a surface calls a member that FAPI calls `name`; gives its tag. Names stand in the
 * parts of a template, each with quotes and a colon, so that they are read once.
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
      // Where only texts are added, adding is fast.
      text = text + (typeof value === 'string' ? value : String(value)) + names[at + 1]!;
    }
    return text;
  };
}

export const fapiText = recordTextNamed((name) => name);
