// The size of an element, now and whenever it changes, but not while it is out of sight: on a phone
// a view that is not chosen has no size. The chart library would forget which candles it shows.

export type Size = { readonly width: number; readonly height: number };

/** Calls with the size, and again after each change, never with an empty one; gives the end. */
export function followSize(element: Element, onSize: (size: Size) => void): () => void {
  const sizes = new ResizeObserver((entries) => {
    const { width, height } = entries.at(-1)!.contentRect;
    if (width > 0 && height > 0) onSize({ width, height });
  });
  sizes.observe(element);
  return () => sizes.disconnect();
}
