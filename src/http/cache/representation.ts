import { CSP } from '../../render/html/csp.ts'
import { jsonText } from '../answer.ts'
import { type Format, MEDIA_TYPES } from '../negotiation.ts'
import type { Rendered } from './page.ts'

interface Form {
  /** Where it is not chosen by `Accept`, and of no other coding. */
  readonly vary?: string | undefined
  readonly standsForMs?: number | undefined
}

/** A page in one of the forms that a request chooses from; `link` names the others. */
export const representation = (
  format: Format,
  text: string,
  link: string,
  { vary = 'Accept, Accept-Encoding', standsForMs }: Form = {},
): Rendered => ({
  contentType: MEDIA_TYPES[format],
  text,
  standsForMs,
  headers: [['Vary', vary], ['Link', link], ...(format === 'html' ? [['Content-Security-Policy', CSP] as const] : [])],
})

/** A page that there is in one form alone. */
export const onlyForm = (contentType: string, text: string, headers: Rendered['headers'] = []): Rendered => ({
  contentType,
  text,
  headers: [['Vary', 'Accept-Encoding'], ...headers],
})

export const jsonPage = (document: unknown): Rendered => onlyForm(MEDIA_TYPES.json, jsonText(document))
