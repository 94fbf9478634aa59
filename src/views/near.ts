import type { SellerHost } from '../domain/host.ts'

/** How many single-character edits (insert, drop, replace) lead from one text to the other. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

/** The texts around which names that a writer may have meant are looked for. */
export function searchStarts(host: string): string[] {
  const labels = host.split('.')
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  return [...new Set([host, `api.${host}`, `www.${host}`, ...parents])]
}

/** The names nearest to what was written, best first. */
export function nearest(host: string, names: Iterable<SellerHost>, most: number): SellerHost[] {
  const limit = Math.max(3, Math.floor(host.length * 0.4))
  const distance = (name: string): number =>
    name.endsWith(`.${host}`) || host.endsWith(`.${name}`) ? 1 : editDistance(host.slice(0, 80), name.slice(0, 80))
  return [...new Set(names)]
    .map((name) => ({ name, edits: distance(name) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}
