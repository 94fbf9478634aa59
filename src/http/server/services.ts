import type { IncomingMessage } from 'node:http'
import { MOST_CACHE_BYTES, PageCache } from '../cache/cache.ts'
import { Front } from '../cache/front.ts'
import type { Services } from '../call.ts'
import { EventStreams, STREAM_SETTINGS } from '../events/event-streams.ts'
import { WriteLimits } from '../limits/write-limits.ts'
import { createTrouble } from '../trouble.ts'
import { clientAddress } from './client-address.ts'
import type { Head } from './head.ts'
import type { ListenerOptions } from './options.ts'

/** What the routes share. Of several processes behind one port each has its part of what one alone would have. */
export function createServices(options: ListenerOptions, nextId: (given?: string) => string): Services {
  const { site, directory, limits, trusted, nowMs, shared } = options
  const part = 1 / (shared?.processes ?? 1)
  const epoch = (): number => directory.epoch()
  const onTrouble = createTrouble(options.log)
  const perAddress = limits === null ? { mostPerAddress: Number.POSITIVE_INFINITY } : {}
  const mostClients = Math.ceil(STREAM_SETTINGS.mostClients * part)
  const streamSettings = options.streamSettings ?? { ...STREAM_SETTINGS, mostClients, ...perAddress }
  return {
    site,
    directory,
    cache: new PageCache(directory, epoch, (options.cacheBytes ?? MOST_CACHE_BYTES) * part, nowMs),
    front: new Front(epoch, nextId),
    allow: options.allow,
    probing: options.probing,
    condition: options.condition ?? (() => ({})),
    threads: options.threads,
    reviews: options.reviews,
    sellers: options.sellers,
    writeLimits: options.writeLimits ?? new WriteLimits(limits, nowMs, trusted, shared?.limits),
    onTrouble,
    policy: options.policy,
    nowUs: options.nowUs,
    streams: new EventStreams(site, directory, nowMs, onTrouble, streamSettings, shared?.seats),
    clientOf: ({ socket }: IncomingMessage, head: Head) =>
      clientAddress(socket.remoteAddress ?? '', head.forwardedFor, trusted),
    securityContact: options.securityContact,
    evidenceLog: options.evidenceLog ?? (async () => null),
    mcp: options.mcp?.(site),
  }
}
