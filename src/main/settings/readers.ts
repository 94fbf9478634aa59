import { z } from 'zod'
import { isNetwork, networkKey } from '../../domain/network.ts'
import { parseDuration } from '../../domain/time/duration.ts'
import { walletKind } from '../../domain/wallet.ts'
import { parseVkey } from '../../log/tlog/index.ts'
import type { WitnessAddress } from '../../log/witnesses.ts'
import type { PaidNetwork } from '../../payment/settings.ts'
import { type ConnectTo, parseConnectTo } from '../../probe/egress.ts'
import { parseWallet } from '../../wire/wallet.ts'

// What the texts of variables say; `undefined` refuses one.

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Of what is named twice, one would have no effect, unheard. */
const isEachOnce = (names: readonly string[]): boolean => new Set(names).size === names.length

export const readDatabase = (text: string): string | undefined =>
  /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined

export function readDatabases(text: string): readonly string[] | undefined {
  const databases = list(text).map(readDatabase)
  return databases.every((database) => database !== undefined) ? databases : undefined
}

const ALLOWED = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

export function readPatterns(text: string): readonly string[] | undefined {
  const names = list(text.toLowerCase())
  return names.every((name) => ALLOWED.test(name)) ? names : undefined
}

export const readPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined

export const readBind = (text: string): string | undefined => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined)

export const readPause = (text: string): number | undefined =>
  /^\d{1,6}ms$/.test(text) ? Number(text.slice(0, -2)) : parseDuration(text)

export function readCheckAddresses(text: string): readonly string[] | undefined {
  if (text === 'none') return []
  const addresses = list(text)
  return addresses.every((address) => /^https?:\/\//.test(address) && URL.canParse(address)) ? addresses : undefined
}

export function readBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  const extra = url.pathname.replace(/^\/+/, '') + url.search + url.hash + url.username + url.password
  return extra === '' ? url.origin : undefined
}

export const readAddress = (text: string): string | undefined =>
  /^https?:\/\//.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : undefined

export const readEvmAddress = (text: string): string | undefined =>
  walletKind(text) === 'evm' ? parseWallet(text) : undefined

export function readWallets(text: string): readonly string[] | undefined {
  const wallets = list(text).map(parseWallet)
  return wallets.every((wallet) => wallet !== undefined) ? wallets : undefined
}

/** Kinds of networks that x402 is paid on, in CAIP-2 form. */
const PAID_KIND = /^(?:eip155:[1-9]\d{0,15}|solana:[1-9A-HJ-NP-Za-km-z]{1,44})$/
const PAID_NETWORK = /^([^=]+)(?:=(0x[0-9a-fA-F]{40})\/(\d{1,2})\/([^/,]{1,50})\/([^/,]{1,20}))?$/

export function readPaidNetworks(text: string): readonly PaidNetwork[] | undefined {
  const networks = list(text).map((item): PaidNetwork | undefined => {
    const [, network = '', asset, decimals, name = '', version = ''] = PAID_NETWORK.exec(item) ?? []
    if (!isNetwork(network) || !PAID_KIND.test(networkKey(network))) return undefined
    const dollar = asset === undefined ? null : { asset, decimals: Number(decimals), name, version }
    return { network: networkKey(network), dollar }
  })
  if (networks.length === 0 || !networks.every((network) => network !== undefined)) return undefined
  return isEachOnce(networks.map(({ network }) => network)) ? networks : undefined
}

export function readHeaders(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const headers = z.record(z.string(), z.string()).parse(JSON.parse(text))
    // Throws where no request could carry them.
    new Headers(headers)
    return headers
  } catch {
    return undefined
  }
}

export function readRpcUrls(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = list(text).map((item): [string, string] | undefined => {
    const [network = '', ...rest] = item.split('=')
    const address = readAddress(rest.join('='))
    return isNetwork(network) && address !== undefined ? [networkKey(network), address] : undefined
  })
  if (!pairs.every((pair) => pair !== undefined)) return undefined
  return isEachOnce(pairs.map(([network]) => network)) ? new Map(pairs) : undefined
}

export function readConnectTo(text: string): readonly ConnectTo[] | undefined {
  try {
    return parseConnectTo(text)
  } catch {
    return undefined
  }
}

/** Keys of types that are not spoken here are taken and passed over. */
export function readWitnesses(text: string): readonly WitnessAddress[] | undefined {
  const witnesses = list(text).map((item): WitnessAddress | undefined => {
    const [vkey = '', written = '', ...rest] = item.split(/\s+/)
    const address = readAddress(written)
    return rest.length === 0 && address !== undefined && isVkey(vkey) ? { vkey, address } : undefined
  })
  return witnesses.every((witness) => witness !== undefined) ? witnesses : undefined
}

function isVkey(text: string): boolean {
  try {
    parseVkey(text)
    return true
  } catch {
    return false
  }
}
