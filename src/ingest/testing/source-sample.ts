import { parse } from 'node:path'
import type { SourceKind } from '../source.ts'

/** What tests know of a kind of source: items in the shape that it sends, under invented hosts. Each is a file of `sources/testing/`, named like its kind. */
export interface SourceSample {
  /** Each is listed as it stands; the fuzz test changes them. */
  readonly items: readonly unknown[]
  /** A document with this item in it; of a file, its line before it is written as JSON. */
  documentOf(item: unknown): unknown
  /** More items, where the real samples are: a file and the name of its list, or some documents of a folder. */
  readonly real?: { readonly at: string; readonly list?: string; readonly most?: number }
}

/** The sample of a kind. Rejects when the kind has none: every kind must. */
export async function sampleOf(kind: SourceKind): Promise<SourceSample> {
  const { ext } = parse(import.meta.filename)
  const file: { readonly sample: SourceSample } = await import(`../sources/testing/${kind}${ext}`)
  return file.sample
}
