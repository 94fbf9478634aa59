import { hash } from 'node:crypto'
import type { SellerHost } from '../domain/host.ts'
import { digestMessage, type ReviewLines, reviewDigestMessage } from './message-lines.ts'

export { digestMessage, type ReviewLines, reviewDigestMessage } from './message-lines.ts'

/** SHA-256 of the exact UTF-8 bytes, lower-case hex. The text is well-formed: `textFault` was asked before. */
export const textDigest = (text: string): string => hash('sha256', text, 'hex')

export interface PostLines {
  readonly host: SellerHost
  readonly text: string
  readonly signedAt: string
}

/** The four lines that a post's wallet signs. */
export const postMessage = ({ host, text, signedAt }: PostLines): string =>
  digestMessage(host, textDigest(text), signedAt)

/** The seven lines that a review's wallet signs, one more with its outcome and one with its directory. */
export const reviewMessage = (lines: ReviewLines): string => reviewDigestMessage(lines, textDigest(lines.text))
