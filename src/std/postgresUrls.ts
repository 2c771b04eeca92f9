// How an operator writes the servers of one PostgreSQL.

export const postgresUrlsForm =
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE; several servers are several such addresses with ' +
  'commas between them';

/** The addresses; undefined when the text is no such list. A comma in an address stays there. */
export function splitPostgresUrls(text: string): string[] | undefined {
  const urls = text.split(/,(?=\s*postgres(?:ql)?:\/\/)/).map((url) => url.trim());
  const isUrl = (url: string): boolean =>
    /^postgres(ql)?:\/\/([^\s/?@]*@)?[^\s/?@,]+\/[^\s,]+$/.test(url) && URL.canParse(url);
  return urls.every(isUrl) ? urls : undefined;
}
