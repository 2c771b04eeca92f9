// What the document of a page must say and do, as a program for the browser: it gives sentences
// about the document as it is shown now.

export const judgeDocument = String.raw`(() => {
  const found = [];
  const must = (holds, sentence) => {
    if (!holds) found.push(sentence);
  };
  const content = (name) => document.querySelector('meta[name="' + name + '"]')?.content ?? '';
  const shown = (element) => element.outerHTML.slice(0, 120);
  must(document.doctype?.name === 'html', 'the document has no doctype');
  must(document.compatMode === 'CSS1Compat', 'the browser draws in quirks mode');
  must(document.characterSet === 'UTF-8', 'the charset is ' + document.characterSet);
  const viewport = content('viewport');
  must(/width=device-width/.test(viewport), 'the viewport is not as wide as the device');
  must(!/user-scalable=no|maximum-scale/.test(viewport), 'a person cannot enlarge the page');
  must(document.documentElement.lang !== '', 'the document has no language');
  must(document.title !== '', 'the document has no title');
  must(content('description') !== '', 'the document has no description');
  must(window.asked_.length === 0, 'it asked the person at once: ' + window.asked_.join());
  const tolerance = 0.05;
  for (const image of document.images) {
    const { width, height } = image.getBoundingClientRect();
    if (width === 0) continue;
    const isSized = image.hasAttribute('width') && image.hasAttribute('height');
    must(isSized, 'an image without a size: ' + shown(image));
    must(image.naturalWidth > 0, 'an image that does not load: ' + shown(image));
    const stretched = width / height / (image.naturalWidth / image.naturalHeight);
    must(Math.abs(stretched - 1) < tolerance, 'an image out of shape: ' + shown(image));
    // A picture made of points is as fine as the screen.
    const isFine = /\.svg$|^data:image\/svg/.test(image.src) || image.naturalWidth >= width;
    must(isFine, 'a coarse image: ' + shown(image));
  }
  for (const link of document.links) {
    const opensAnother = link.target === '_blank';
    const isShut = !opensAnother || /noopener|noreferrer/.test(link.rel);
    must(isShut, 'a link that gives the page to another one: ' + shown(link));
    must(/^https?:$/.test(link.protocol), 'a link that leads nowhere: ' + shown(link));
  }
  for (const field of document.querySelectorAll('input, textarea')) {
    const paste = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
    must(field.dispatchEvent(paste), 'a field that takes no pasted text: ' + shown(field));
  }
  return found;
})()`;

/** Runs before the page's own scripts: keeps what they ask a person who has done nothing yet. */
export const noteQuestions = `
  window.asked_ = [];
  const keep = (owner, name) => {
    if (owner !== undefined) {
      Object.defineProperty(owner, name, { value: () => window.asked_.push(name) });
    }
  };
  keep(window.Notification, 'requestPermission');
  keep(navigator.geolocation, 'getCurrentPosition');
  keep(navigator.geolocation, 'watchPosition');
  for (const name of ['alert', 'confirm', 'prompt', 'print']) keep(window, name);
`;
