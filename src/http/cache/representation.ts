import { CSP } from '../../render/html/csp.ts'
import { type Format, MEDIA_TYPES } from '../negotiation.ts'
import type { Rendered } from './page.ts'

/** A page in one of the forms that a request chooses from; `link` names the others. */
export const representation = (
  format: Format,
  text: string,
  link: string,
  vary = 'Accept, Accept-Encoding',
): Rendered => ({
  contentType: MEDIA_TYPES[format],
  text,
  headers: [['Vary', vary], ['Link', link], ...(format === 'html' ? [['Content-Security-Policy', CSP] as const] : [])],
})
