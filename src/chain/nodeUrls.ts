// The addresses of nodes of a chain, as an operator types them. Two of them must be two nodes: an
// answer counts because another node has given it, too. It asks no node.

/** Whether the text is addresses of nodes, with commas. */
export const areNodeUrls = (text: string): boolean =>
  text.split(',').every((url) => /^https?:\/\/[^\s,]+$/.test(url) && URL.canParse(url));

/**
 * Why two of these addresses are one node, as a sentence that shows no key; undefined: none are. On
 * this machine the whole address distinguishes them, so that one node can be tried as three.
 */
export function repeatedNode(urls: readonly string[]): string | undefined {
  const seen = new Map<string, number>();
  for (const [at, url] of urls.entries()) {
    const node = nodeOf(url);
    const before = seen.get(node);
    if (before !== undefined) {
      return (
        `${new URL(url).host} stands there twice, at places ${before + 1} and ${at + 1}: several ` +
        'answers of one node are no agreement. Name nodes of different operators'
      );
    }
    seen.set(node, at);
  }
  return undefined;
}

/** Throws an error that is a sentence when there is none, or one is malformed or repeated. */
export function readNodeUrls(text: string): readonly string[] {
  if (!areNodeUrls(text)) throw new Error('--rpc takes http addresses of nodes, with commas.');
  const urls = text.split(',');
  const why = repeatedNode(urls);
  if (why !== undefined) throw new Error(`--rpc: ${why}.`);
  return urls;
}

/** Places of these addresses that are one node of this machine under several names. */
export function sharedHere(urls: readonly string[]): readonly number[] {
  const hosts = urls.map((url) => hostOf(new URL(url)));
  return urls.flatMap((url, at) => {
    const isShared = hosts.indexOf(hosts[at]!) !== hosts.lastIndexOf(hosts[at]!);
    return isHere(new URL(url)) && isShared ? [at + 1] : [];
  });
}

/** Two addresses with the same text are one node: its host and port, whatever the key is. */
function nodeOf(text: string): string {
  const url = new URL(text);
  if (!isHere(url)) return hostOf(url);
  return `${hostOf(url)}${url.pathname.replace(/\/+$/, '')}${url.search}`;
}

/** http and https without a port are one machine, and so is a name with a dot at its end. */
function hostOf(url: URL): string {
  const name = isHere(url) ? 'localhost' : url.hostname.replace(/\.$/, '');
  return url.port === '' || url.port === '80' || url.port === '443' ? name : `${name}:${url.port}`;
}

const isHere = ({ hostname }: URL): boolean =>
  /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
