/** What was read does not have the form that its format demands. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError'
}

/** What was read is well formed, but no trusted key stands behind it, or its hashes do not fit. */
export class UntrustedError extends Error {
  override readonly name = 'UntrustedError'
}
