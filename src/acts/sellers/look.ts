import { SingleFlight } from '../../async/single-flight.ts'
import { counted } from '../../domain/count.ts'
import type { SellerHost } from '../../domain/host.ts'
import { addressOf, type Scheme } from '../../domain/route.ts'
import { ASKED_EVERY_US, type Look, OWNERSHIP_PATH, PAYEE_DAYS, PROOF_PATH } from '../../domain/seller/proof.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import { readPayeeSightings } from '../../store/sellers/payee-sightings.ts'
import type { Store } from '../../store/store.ts'
import { PATHS } from '../../wire/paths.ts'
import { registrableDomain } from '../../wire/sellers/registrable.ts'
import { parseWallet } from '../../wire/wallet.ts'

/**
 * What a host itself serves at an address of its own. `silent`: it gave no answer, so nobody knows. `uncalled`: nor does
 * anybody here, because the operator was asked not to call it.
 */
export type FileReading =
  | { readonly kind: 'file'; readonly body: Uint8Array }
  | { readonly kind: 'other' | 'silent' | 'uncalled'; readonly why: string }

/** The way to sellers' own files, through the guarded door. */
export interface SellerFiles {
  /** Follows no redirect and reads no more than this many bytes. Never rejects. */
  read(url: string, maxBytes: number): Promise<FileReading>
  /** Whether a document of the host, read from this address, holds the wallet's signature over its origin. */
  provesOwnership(document: Uint8Array, url: string, wallet: string): boolean
}

export interface LookDeps {
  readonly store: Store
  readonly files: SellerFiles
  readonly nowUs: () => TimestampUs
}

export interface Looked {
  readonly hostId: number
  readonly host: SellerHost
  /** In the form of `parseWallet`. */
  readonly wallet: string
}

const PROOF_BYTES = 4096
const DOCUMENT_BYTES = 1_048_576
const MOST_REMEMBERED = 200
/** Of other hosts with the same payee: so that a seller sees whether they are its own. */
const MOST_NAMED = 3

interface HostFiles {
  readonly origin: string
  readonly proof: FileReading
  readonly document: FileReading
  readonly readUs: TimestampUs
}

/** Looks at all that can prove that a host is a wallet's own. One for a program. */
export function createLook({ store, files, nowUs }: LookDeps): (looked: Looked) => Promise<readonly Look[]> {
  const reading = new SingleFlight<HostFiles>()
  const remembered = new Map<SellerHost, HostFiles>()

  const readFiles = async (hostId: number, host: SellerHost): Promise<HostFiles> => {
    const origin = addressOf(await schemeOf(store, hostId), host, '')
    const proof = await files.read(`${origin}${PROOF_PATH}`, PROOF_BYTES)
    const document = await files.read(`${origin}${OWNERSHIP_PATH}`, DOCUMENT_BYTES)
    const found = { origin, proof, document, readUs: nowUs() }
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= MOST_REMEMBERED) remembered.delete(oldest)
    remembered.delete(host)
    remembered.set(host, found)
    return found
  }

  const filesOf = (hostId: number, host: SellerHost): Promise<HostFiles> => {
    const known = remembered.get(host)
    const ageUs = known === undefined ? Number.POSITIVE_INFINITY : nowUs() - known.readUs
    if (known && ageUs >= 0 && ageUs < ASKED_EVERY_US) return Promise.resolve(known)
    return reading.share(host, () => readFiles(hostId, host)).result
  }

  return async ({ hostId, host, wallet }) => {
    const [found, payee] = await Promise.all([filesOf(hostId, host), lookAtPayee(store, hostId, host, wallet)])
    return [lookAtDocument(files, found, wallet), lookAtFile(found, wallet), payee]
  }
}

/** A host that sells over TLS is asked over TLS alone. */
async function schemeOf({ read }: Store, hostId: number): Promise<Scheme> {
  const some = (scheme: Scheme) =>
    read
      .selectFrom('routes')
      .select('route_id')
      .where('host_id', '=', hostId)
      .where('scheme', '=', scheme)
      .limit(1)
      .executeTakeFirst()
  const secure = await some('https')
  return secure === undefined && (await some('http')) !== undefined ? 'http' : 'https'
}

function lookAtDocument(files: SellerFiles, { origin, document, readUs }: HostFiles, wallet: string): Look {
  const url = `${origin}${OWNERSHIP_PATH}`
  const toDo = `Put the signature of ${wallet} over the text ${origin} into ownershipProofs of ${url}.`
  const look = { proof: 'ownership', toDo, readUs } as const
  if (document.kind !== 'file') return { ...look, ...unread(url, document, toDo) }
  return files.provesOwnership(document.body, url, wallet)
    ? { ...look, holds: 'yes', found: `${url} holds the wallet's signature over ${origin}.` }
    : { ...look, holds: 'no', found: `${url} holds no signature of the wallet over ${origin}.` }
}

function lookAtFile({ origin, proof, readUs }: HostFiles, wallet: string): Look {
  const url = `${origin}${PROOF_PATH}`
  const toDo = `Serve ${wallet} on a line of its own, and no other wallet, at ${url}, without a redirect.`
  const look = { proof: 'file', toDo, readUs } as const
  if (proof.kind !== 'file') return { ...look, ...unread(url, proof, toDo) }
  const named = walletsIn(proof.body)
  if (named.size > 1) return { ...look, holds: 'no', found: `${url} names ${named.size} wallets, and one is taken.` }
  if (named.has(walletKey(wallet))) return { ...look, holds: 'yes', found: `${url} names the wallet.` }
  const found =
    named.size === 1 ? 'names another wallet' : 'does not name the wallet on a line of its own, nor any other'
  return { ...look, holds: 'no', found: `${url} ${found}.` }
}

/** Whatever the host serves, nobody sees it before the operator calls it again. */
const unread = (url: string, { kind, why }: Exclude<FileReading, { kind: 'file' }>, toDo: string) =>
  ({
    holds: kind === 'other' ? 'no' : 'unknown',
    found: `${url}: ${why}.`,
    toDo: kind === 'uncalled' ? `Ask the operator (${PATHS.policy}) to call this host again. ${toDo}` : toDo,
  }) as const

function walletsIn(body: Uint8Array): ReadonlySet<string> {
  const lines = new TextDecoder(encodingOf(body)).decode(body).split(/\r\n|\r|\n/)
  const wallets = lines.flatMap((line) => parseWallet(line.trim()) ?? [])
  return new Set(wallets.map(walletKey))
}

/** What an older PowerShell writes by `>` begins with the mark of UTF-16. */
const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

async function lookAtPayee(store: Store, hostId: number, host: SellerHost, wallet: string): Promise<Look> {
  const { days, isListed, hosts } = await readPayeeSightings(store, hostId, wallet)
  const toDo = `Ask for payment to ${wallet} in the live 402 challenges of ${host} alone, on at least ${PAYEE_DAYS} days.`
  const look = { proof: 'payee', toDo } as const
  const others = hosts.filter((name) => registrableDomain(name) !== registrableDomain(host))
  if (days.length === 0) {
    const found = isListed
      ? 'Only listing sources name the wallet as a payee of this host; no live challenge did.'
      : 'No live challenge of this host named the wallet as its payee.'
    return { ...look, holds: 'no', found }
  }
  if (others.length > 0) {
    const some = others.slice(0, MOST_NAMED)
    const which = some.length < others.length ? `, such as ${some.join(', ')}` : `: ${some.join(', ')}`
    const found = `The wallet is also named as a payee of ${counted(others.length, 'host')} under other domains${which}.`
    return { ...look, holds: 'no', found }
  }
  const seen = `Live challenges of this host named the wallet on ${days.length < PAYEE_DAYS ? counted(days.length, 'day') : `at least ${PAYEE_DAYS} days`}`
  return days.length < PAYEE_DAYS
    ? { ...look, holds: 'no', found: `${seen}, and ${PAYEE_DAYS} are needed.` }
    : { ...look, holds: 'yes', found: `${seen}.` }
}
