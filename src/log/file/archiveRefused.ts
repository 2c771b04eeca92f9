// Why an archive of the log cannot be used, or the log not removed.

/** Thrown with a sentence for the operator; nothing has changed. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused';
}
