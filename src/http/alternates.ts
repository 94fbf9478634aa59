import { fullAddress, type Site } from '../render/site.ts'
import { FORMATS, type Format, MEDIA_TYPES } from './negotiation.ts'

/** The `Link` field that names the other representations of the page that is sent as `format`. */
export const alternates = (
  site: Site,
  format: Format,
  hrefAs: (other: Format) => string,
  offers: readonly Format[] = FORMATS,
): string =>
  offers
    .filter((other) => other !== format)
    .map((other) => `<${fullAddress(site, hrefAs(other))}>; rel="alternate"; type="${MEDIA_TYPES[other]}"`)
    .join(', ')
