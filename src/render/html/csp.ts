import { createHash } from 'node:crypto'
import { CSS } from './style.ts'

const styleHash = createHash('sha256').update(CSS).digest('base64')

/** Everything a page may do: the one inlined style sheet, its own images and its own forms. No script at all. */
export const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
