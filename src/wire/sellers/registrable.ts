import { getDomain } from 'tldts'
import type { SellerHost } from '../../domain/host.ts'

/** Names under which strangers to each other have a host each, and that the Public Suffix List has not, or not yet. */
const SHARED = [
  ...['app.cloud.gov', 'github.dev', 'glitch.me', 'koyeb.app', 'lhr.life', 'loca.lt', 'modal.run', 'railway.app'],
  'render.com',
]

/** Regions and services stand between a seller's own label and this name, and the list has not all of them. */
const WHOLE = '.amazonaws.com'

/**
 * The part of a name that somebody registered, by the Public Suffix List with its private part: `api.shop.example.co.uk` is
 * under `example.co.uk`, `x.one.vercel.app` under `one.vercel.app`. It takes two names for different sellers rather than for
 * one; a name that nobody can register is by itself.
 */
export function registrableDomain(host: SellerHost): string {
  const name = host.replace(/:\d+$/, '')
  const registered = getDomain(name, { allowPrivateDomains: true, extractHostname: false, validateHostname: false })
  if (registered === null || name.endsWith(WHOLE)) return name
  const shared = SHARED.find((suffix) => name.endsWith(`.${suffix}`))
  const below =
    shared === undefined
      ? ''
      : name
          .split('.')
          .slice(-shared.split('.').length - 1)
          .join('.')
  return below.length > registered.length ? below : registered
}
