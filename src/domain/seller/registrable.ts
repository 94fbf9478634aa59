import type { SellerHost } from '../host.ts'

/** Second labels under which countries register names, such as co.uk or com.au. */
const SECOND = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'gob',
  'gov',
  'gouv',
  'go',
  'ltd',
  'me',
  'ne',
  'net',
  'or',
  'org',
  'plc',
  'sch',
])

/** Names under which strangers to each other have a host each. */
const SHARED = [
  ...['amazonaws.com', 'app.cloud.gov', 'appspot.com', 'azurestaticapps.net', 'azurewebsites.net', 'blogspot.com'],
  ...['cloudfront.net', 'deno.dev', 'deno.net', 'duckdns.org', 'firebaseapp.com', 'fly.dev', 'github.dev', 'github.io'],
  ...['gitlab.io', 'glitch.me', 'herokuapp.com', 'hf.space', 'koyeb.app', 'lhr.life', 'loca.lt', 'modal.run'],
  ...['netlify.app', 'ngrok.app', 'ngrok.dev', 'ngrok.io', 'ngrok-free.app', 'ngrok-free.dev', 'onrender.com'],
  ...['pages.dev', 'railway.app', 'render.com', 'repl.co', 'replit.app', 'replit.dev', 'run.app', 'supabase.co'],
  ...['surge.sh', 'trycloudflare.com', 'ts.net', 'up.railway.app', 'val.run', 'vercel.app', 'vercel.dev', 'web.app'],
  ...['workers.dev', 'zeabur.app'],
] as const

/**
 * The part of a name that somebody registered: `api.shop.example.co.uk` is under `example.co.uk`. Where strangers share a
 * name, one label more. It takes two names for different sellers rather than for one.
 */
export function registrableDomain(host: SellerHost): string {
  const name = host.replace(/:\d+$/, '')
  const labels = name.split('.')
  const shared = SHARED.filter((suffix) => name.endsWith(`.${suffix}`)).toSorted((a, b) => b.length - a.length)[0]
  if (shared !== undefined) {
    // Regions stand between the seller's own label and some of these names: the whole name is taken.
    return shared === 'amazonaws.com' || shared === 'run.app'
      ? name
      : labels.slice(-shared.split('.').length - 1).join('.')
  }
  const [second = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && SECOND.has(second) ? -3 : -2).join('.')
}
