import { fullAddress, type Site } from '../site.ts'
import { logLink } from './words.ts'

/** ` · in the log at 12,345: <…>`; empty until it is. */
export function inLog(site: Site, evidence: { readonly logIndex?: number | undefined }): string {
  const link = logLink(evidence)
  return link === undefined ? '' : ` · ${link.words}: <${fullAddress(site, link.href)}>`
}
