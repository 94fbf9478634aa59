/**
 * Checks an evidence log by its own published bytes: one file, no dependencies, for Node 20.16 or newer and for browsers.
 *
 *   node verify.mjs <base_url>            every entry, every tile, the root, the signature
 *   node verify.mjs <base_url> <index>    that one entry is in the log, and what it says
 *   … <vkey> <vkey> …                     keys noted elsewhere, the log's or witnesses'; each must have signed
 *
 * Without a key of yours the one that the server names is taken, which shows that the log fits together, not whose it is.
 * Exit code 0: it holds. 1: it does not, and the line says where. 2: it could not be checked.
 * In a page: import { verify } from '<base_url>/log/verify.mjs', then await verify(baseUrl, { index, vkeys, say }).
 *
 * What is done: an entry hashes to a leaf, SHA-256(0x00, entry); two hashes to a node, SHA-256(0x01, left, right). A tile
 * is a row of at most 256 hashes: of leaves at level 0, of full tiles of the level below at the others. The checkpoint is
 * a text of origin, size and root with Ed25519 signatures under it. The formats: c2sp.org/tlog-tiles, /tlog-checkpoint,
 * /signed-note, /tlog-cosignature.
 */
const WIDTH = 256
const HASH = 32
/** The most bytes that are read of an answer, and the most milliseconds that one may take. */
const MOST = { vkey: 4_096, checkpoint: 1_000_000, tile: WIDTH * HASH, entries: WIDTH * (2 + 65_535) }
const PATIENCE_MS = 30_000
const AHEAD = 8 // bundles of entries that are fetched before they are needed
const [ED25519, COSIGNATURE] = [1, 4]

/** What was read does not hold. */
export class Wrong extends Error {}

/** @typedef {{ name: string, id: string, type: number, key: Uint8Array }} Key */
/** @typedef {(line: string) => void} Say */
/** @typedef {{ url: string, origin: string, size: number, root: Uint8Array, say: Say }} Log */

/** Checks the log of a directory; with an index, one entry of it. Throws `Wrong` and where when something does not hold.
 * @param {string} baseUrl @param {{ index?: number, vkeys?: readonly string[], say?: Say }} [wishes] */
export async function verify(baseUrl, { index, vkeys = [], say = () => undefined } = {}) {
  const url = `${baseUrl.replace(/\/+$/, '')}/log`
  const named = parseVkey(textOf(await read(`${url}/vkey`, MOST.vkey)).replace(/\n$/, ''))
  const given = vkeys.map(parseVkey)
  const own = given.find(({ type, name }) => type === ED25519 && name === named.name) ?? named
  const readLog = async () => ({ url, say, ...(await checkpointOf(url, own, given)) })
  let log = await readLog()
  // Witnesses sign some seconds later: an entry that has a proof already is waited for.
  for (let n = 0; n < 10 && (index ?? -1) >= log.size && (await fetch(`${url}/proof/${index}`)).ok; n++)
    log = await new Promise((done) => setTimeout(() => done(readLog()), 1000))
  say(`${log.origin}: ${log.size} entries, root ${toBase64(log.root)}`)
  if (own === named) say(`Signed by ${own.name}+${own.id}, which is the server's own word.`)
  for (const { name, id } of given) say(`Signed by ${name}+${id}, as you asked.`)
  const { origin, size, root } = log
  if (index !== undefined) return { origin, size, root, entry: await checkEntry(log, index) }
  await checkAll(log)
  return { origin, size, root }
}

// The checkpoint and its signatures

/** @param {string} url @param {Key} own @param {readonly Key[]} given */
async function checkpointOf(url, own, given) {
  const note = textOf(await read(`${url}/checkpoint`, MOST.checkpoint))
  const end = note.lastIndexOf('\n\n')
  if (end === -1) throw new Wrong('checkpoint: it has no signatures')
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', encoded = ''] = text.split('\n')
  const root = fromBase64(encoded)
  if (!/^(0|[1-9]\d{0,14})$/.test(size) || root.length !== HASH) throw new Wrong('checkpoint: no size and root')
  if (origin !== own.name) throw new Wrong(`checkpoint: it is one of ${origin}, the key is that of ${own.name}`)
  for (const key of [own, ...given])
    if (!(await hasSigned(key, text, note.slice(end + 2))))
      throw new Wrong(`checkpoint: ${key.name}+${key.id} has not signed it`)
  return { origin, size: Number(size), root }
}

/** Whether a line "— name base64(id, signature)" is the key's. @param {Key} key @param {string} text @param {string} lines */
async function hasSigned({ name, id, type, key }, text, lines) {
  for (const line of lines.split('\n')) {
    const [dash, signer, encoded = ''] = line.split(' ')
    if (dash !== '\u2014' || signer !== name) continue
    const bytes = fromBase64(encoded)
    if (toHex(bytes.subarray(0, 4)) !== id) continue
    const publicKey = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
    if (type === ED25519) return crypto.subtle.verify('Ed25519', publicKey, bytes.subarray(4), utf8(text))
    // A witness puts its time before its signature, and signs both.
    const timeS = bytes.length < 12 ? 0n : new DataView(bytes.buffer, 4).getBigUint64(0)
    const cosigned = utf8(`cosignature/v1\ntime ${timeS}\n${text}`)
    return crypto.subtle.verify('Ed25519', publicKey, bytes.subarray(12), cosigned)
  }
  return false
}

/** name+id+base64(type, key) @param {string} vkey */
function parseVkey(vkey) {
  const [, name = '', id = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? []
  const [type, ...key] = fromBase64(encoded)
  if ((type !== ED25519 && type !== COSIGNATURE) || key.length !== 32) throw new Wrong(`vkey: no key ${vkey}`)
  return { name, id, type, key: Uint8Array.from(key) }
}

// The whole log

/** Hashes every entry, holds each full row of 256 hashes against the tile that is served for it, and goes on with the root
 * of the row one level up. The rows left over at the end make up the root. @param {Log} log */
async function checkAll(log) {
  /** @type {Uint8Array[][]} by level, what is not yet full */
  const rows = []
  /** @param {number} level @param {number} index of the row @param {readonly Uint8Array[]} hashes */
  const add = async (level, index, hashes) => {
    const row = [...(rows[level] ?? []), ...hashes]
    rows[level] = row.length < WIDTH ? row : []
    if (row.length < WIDTH) return
    await compareTile(log, level, index, row)
    await add(level + 1, Math.floor(index / WIDTH), [await rootOf(row)])
  }
  const coming = /** @type {Promise<Uint8Array[]>[]} */ ([])
  const bundles = Math.ceil(log.size / WIDTH)
  for (let index = 0; index < bundles; index++) {
    for (let next = index + coming.length; next < Math.min(index + AHEAD, bundles); next++) {
      coming.push(bundleAt(log, next))
      coming.at(-1)?.catch(() => undefined)
    }
    const entries = (await coming.shift()) ?? []
    await add(0, index, await Promise.all(entries.map(leafHash)))
    if ((index + 1) % 100 === 0) log.say(`${(index + 1) * WIDTH} of ${log.size} entries`)
  }
  for (const [level, row] of rows.entries())
    if (row.length > 0) await compareTile(log, level, Math.floor(log.size / WIDTH ** (level + 1)), row)
  await compareRoot(log, rows)
  log.say('Every entry and every tile leads to this root.')
}

/** @param {Log} log @param {number} level @param {number} index @param {readonly Uint8Array[]} row */
async function compareTile(log, level, index, row) {
  const { path, hashes } = await tileAt(log, level, index)
  const at = row.findIndex((hash, place) => !isEqual(hash, hashes[place]))
  if (at === -1) return
  const below = index * WIDTH + at
  throw new Wrong(`${level === 0 ? `entry ${below}` : tilePath(level - 1, below, WIDTH)}: its hash is not in ${path}`)
}

/** Two by two up to the root, from the rows that are not full, by level. @param {Log} log @param {Uint8Array[][]} rows */
async function compareRoot({ root }, rows) {
  /** @type {Uint8Array[]} */
  let edge = []
  for (const row of rows) edge = [await rootOf([...row, ...edge])].filter((hash) => hash.length > 0)
  const found = edge[0] ?? (await sha256(new Uint8Array(0)))
  if (!isEqual(found, root)) throw new Wrong(`checkpoint: its root is not ${toBase64(found)}, to which the log leads`)
}

// One entry

/** The entry, after its hash was found in its tile, the tile's root in the tile above, and so on up to the signed root.
 * @param {Log} log @param {number} index */
async function checkEntry(log, index) {
  if (index >= log.size) throw new Wrong(`entry ${index}: the log has ${log.size} entries`)
  const entry = (await bundleAt(log, Math.floor(index / WIDTH)))[index % WIDTH] ?? new Uint8Array(0)
  let what = `entry ${index}`
  /** @type {Uint8Array} */
  let hash = await leafHash(entry)
  for (let level = 0, place = index; ; level++, place = Math.floor(place / WIDTH)) {
    const { path, hashes } = await tileAt(log, level, Math.floor(place / WIDTH))
    if (!isEqual(hash, hashes[place % WIDTH])) throw new Wrong(`${what}: its hash is not in ${path}`)
    if (hashes.length < WIDTH) break
    what = path
    hash = await rootOf(hashes)
  }
  /** @type {Uint8Array[][]} by level, the tile at the right edge of the tree where it is not full */
  const rows = []
  for (let level = 0; log.size >= WIDTH ** level; level++) {
    const index = Math.floor(log.size / WIDTH ** (level + 1))
    rows.push(widthOf(log, level, index) === 0 ? [] : (await tileAt(log, level, index)).hashes)
  }
  await compareRoot(log, rows)
  log.say(`Entry ${index} is in the log:`)
  log.say(textOf(entry))
  return entry
}

// Reading

/** How many hashes a tile has in a log of this size. @param {Log} log @param {number} level @param {number} index */
const widthOf = ({ size }, level, index) => Math.min(WIDTH, Math.floor(size / WIDTH ** level) - index * WIDTH)

/** tile/<level>/<index in threes>[.p/<width>] @param {number | string} level @param {number} index @param {number} width */
function tilePath(level, index, width) {
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  return `tile/${level}/${padded.replace(/\d{3}(?=\d)/g, 'x$&/')}${width === WIDTH ? '' : `.p/${width}`}`
}

/** @param {Log} log @param {number} level @param {number} index */
async function tileAt(log, level, index) {
  const width = widthOf(log, level, index)
  const path = tilePath(level, index, width)
  const bytes = await read(`${log.url}/${path}`, MOST.tile)
  if (bytes.length !== width * HASH) throw new Wrong(`${path}: ${bytes.length} bytes, not ${width * HASH}`)
  return { path, hashes: Array.from({ length: width }, (_, at) => bytes.subarray(at * HASH, (at + 1) * HASH)) }
}

/** The entries of a bundle, each of which has its length in two bytes before it. @param {Log} log @param {number} index */
async function bundleAt(log, index) {
  const width = widthOf(log, 0, index)
  const path = tilePath('entries', index, width)
  const bytes = await read(`${log.url}/${path}`, MOST.entries, ': one of its entries may be too long to be served')
  const entries = []
  let at = 0
  while (at + 2 <= bytes.length) {
    const end = at + 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  if (entries.length !== width || at !== bytes.length) throw new Wrong(`${path}: not ${width} whole entries`)
  return entries
}

/** The bytes at an address, at most so many. @param {string} address @param {number} most @param {string} missing why */
async function read(address, most, missing = '') {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) })
  if (!answer.ok || answer.body === null)
    throw new Error(`${address} answers ${answer.status}${answer.status === 404 ? missing : ''}`)
  const parts = []
  let length = 0
  const reader = answer.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    length += part.value.length
    if (length <= most) continue
    await reader.cancel()
    throw new Wrong(`${address}: more than ${most} bytes`)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

// Hashes, bytes and texts

/** @param {Uint8Array} bytes */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
/** @param {Uint8Array} entry */
const leafHash = (entry) => sha256(Uint8Array.of(0, ...entry))
/** Two by two, the odd one goes up as it is. @param {readonly Uint8Array[]} hashes */
async function rootOf(hashes) {
  let row = hashes
  while (row.length > 1) {
    const pairs = row.map((left, at) => [left, row[at + 1]]).filter((_, at) => at % 2 === 0)
    const nodes = pairs.map(([left, right]) => (right ? sha256(Uint8Array.of(1, ...(left ?? []), ...right)) : left))
    row = (await Promise.all(nodes)).map((node) => node ?? new Uint8Array(0))
  }
  return row[0] ?? new Uint8Array(0)
}
/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text)
/** @param {Uint8Array} bytes */
const textOf = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
/** @param {Uint8Array} bytes */
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
/** @param {Uint8Array} bytes */
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes))
/** @param {Uint8Array} a @param {Uint8Array | undefined} b */
const isEqual = (a, b) => a.length === b?.length && a.every((byte, at) => byte === b[at])
/** One text for the same bytes, so that no bit can be changed unseen. @param {string} text */
function fromBase64(text) {
  const bytes = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0 ? atob(text) : undefined
  if (bytes === undefined || btoa(bytes) !== text) throw new Wrong(`not Base 64: ${text}`)
  return Uint8Array.from(bytes, (char) => char.charCodeAt(0))
}

// The command

/** @param {readonly string[]} words */
async function main([baseUrl, ...words]) {
  const vkeys = words.filter((word) => word.includes('+'))
  const [index, ...others] = words.filter((word) => !word.includes('+'))
  /** What a terminal would obey is not for it. @param {string} line */
  const plain = (line) => line.replace(/[^\n\P{Cc}]|\p{Cf}/gu, '\ufffd')
  try {
    if (baseUrl === undefined || others.length > 0 || !/^\d{1,15}$/.test(index ?? '0'))
      throw new Error('usage: node verify.mjs <base_url> [index] [vkey …]')
    const one = index === undefined ? {} : { index: Number(index) }
    await verify(baseUrl, { ...one, vkeys, say: (line) => console.log(plain(line)) })
    return 0
  } catch (error) {
    const isWrong = error instanceof Wrong
    const { message, cause } = error instanceof Error ? error : new Error(String(error))
    console.error(plain(`${isWrong ? 'WRONG' : 'Not checked'}: ${message}${cause ? ` (${cause})` : ''}`))
    return isWrong ? 1 : 2
  }
}

/** Whether what was called is this very file, whatever it is named now. @param {string} called */
function isThis(called) {
  const { realpathSync } = process.getBuiltinModule('fs')
  const { resolve } = process.getBuiltinModule('module').createRequire(import.meta.url)
  try {
    return realpathSync(resolve(called)) === realpathSync(new URL(import.meta.url))
  } catch {
    return false
  }
}

const [, called, ...words] = globalThis.process?.argv ?? []
const isPiped = /\/\[eval\d*\]$/.test(import.meta.url) // or given with -e: there is no file
if (isPiped) process.exitCode = await main(process.argv.slice(called === '-' ? 2 : 1))
else if (called !== undefined && isThis(called)) process.exitCode = await main(words)
