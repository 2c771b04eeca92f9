// The styles of the documentation: colours of the trading page, dark or light as the reader's
// system is, and text that wraps, so that nothing is wider than a phone.

const light =
  '--ground:#fff;--panel:#f4f6f9;--line:#dce1e8;--text:#14181f;--muted:#5a6472;--accent:#2157c4';
const dark =
  '--ground:#0b0e13;--panel:#161b24;--line:#2c3542;--text:#e4e8ee;--muted:#98a2b1;--accent:#7aa7ff';

/** For the bar with the navigation, which the reference has above it too. */
export const navigationStyle =
  `:root{color-scheme:light dark;${light}}` +
  `@media(prefers-color-scheme:dark){:root{${dark}}}` +
  'body{margin:0}' +
  'body>header{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;' +
  'box-sizing:border-box;min-height:3rem;padding:.5rem 1rem;background:var(--panel);' +
  'border-bottom:1px solid var(--line);font:15px/1.4 system-ui,sans-serif}' +
  'body>header nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}' +
  'body>header a{color:var(--muted);text-decoration:none;padding:.2rem 0}' +
  'body>header a.brand{color:var(--text);font-weight:650}' +
  'body>header a:hover{color:var(--text);text-decoration:underline}' +
  'body>header a[aria-current]{color:var(--text);box-shadow:0 2px 0 var(--accent)}' +
  // One line on a phone.
  '@media(max-width:30rem){body>header{font-size:13px}body>header nav{gap:.25rem .75rem}}' +
  'a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}';

export const documentStyle =
  `${navigationStyle}` +
  'body{background:var(--ground);color:var(--text);font:16px/1.6 system-ui,sans-serif}' +
  'main{max-width:52rem;margin:0 auto;padding:1rem 1rem 6rem;overflow-wrap:anywhere}' +
  'main a{color:var(--accent)}' +
  'h1{font-size:1.9rem;line-height:1.25;margin:1.5rem 0 1rem}' +
  'h2{font-size:1.4rem;margin:2.5rem 0 .75rem;padding-bottom:.25rem;' +
  'border-bottom:1px solid var(--line)}' +
  'h3,h2.rule{font-size:1.1rem;margin:2rem 0 .5rem;padding:0;border:0}' +
  'h2,h3,h4{scroll-margin-top:1rem}' +
  'code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Consolas,monospace}' +
  ':not(pre)>code{background:var(--panel);border:1px solid var(--line);border-radius:3px;' +
  'padding:.05em .3em}' +
  'pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;' +
  'white-space:pre-wrap}' +
  'table{border-collapse:collapse;width:100%;font-size:.95em;margin:1rem 0}' +
  'th{text-align:left;color:var(--muted);font-weight:600}' +
  'th,td{padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top}' +
  'blockquote{margin:1rem 0;padding:0 1rem;border-left:3px solid var(--line)}' +
  '.proof{color:var(--muted);font-size:.875rem;margin:.25rem 0}' +
  '.proof>code{border:0;background:none;padding:0}' +
  '.contents{columns:16rem;padding-left:1.2rem}' +
  '.skip{position:absolute;left:-100vw}.skip:focus{position:static}' +
  // A row becomes a card where a table has no room.
  '@media(max-width:40rem){table,tbody,tr,td{display:block}thead{display:none}' +
  'tr{padding:.4rem 0;border-bottom:1px solid var(--line)}td{padding:.1rem 0;border:0}}';
