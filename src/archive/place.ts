/** What a file is known by. */
export interface Digest {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
}

/** Where archived months are kept: a folder, or a bucket of an S3-compatible service. */
export interface ArchivePlace {
  /** For people; holds no secret. */
  readonly name: string
  /** The text of a small file there; `undefined`: there is none. */
  read(name: string): Promise<string | undefined>
  /** Resolves only when the bytes of a local file are kept under this name for good. What was there under it is replaced. */
  keep(name: string, local: string, digest: Digest): Promise<void>
}
