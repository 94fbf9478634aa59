import { promisify } from 'node:util'
import { constants, crc32, deflateRawSync, gzip, gzipSync } from 'node:zlib'
import { PAGE_START } from '../../render/html/layout.tsx'

/** Twice as fast as the usual sixth, for a twentieth more bytes. */
const LEVEL = 3
/** Handing so little to another thread costs more than compressing it. */
const MOST_AT_ONCE = 256 * 1024

/** RFC 1952: deflated, no name, no time, of any system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const TRAILER_BYTES = 8

/**
 * What every page begins with, deflated once. It ends on a whole byte and is not the last block, so that the rest of a page
 * continues it.
 */
const START = Buffer.from(PAGE_START)
const DEFLATED_START = deflateRawSync(START, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
const START_CRC = crc32(START)

/** The bytes of a text; of a page's start they are at hand. */
export const bytesOf = (text: string): Buffer =>
  text.startsWith(PAGE_START) ? Buffer.concat([START, Buffer.from(text.slice(PAGE_START.length))]) : Buffer.from(text)

const isPage = (bytes: Buffer): boolean => bytes.subarray(0, START.length).equals(START)

function pageGzip(bytes: Buffer): Buffer {
  const rest = bytes.subarray(START.length)
  const trailer = Buffer.alloc(TRAILER_BYTES)
  trailer.writeUInt32LE(crc32(rest, START_CRC), 0)
  trailer.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([HEADER, DEFLATED_START, deflateRawSync(rest, { level: LEVEL }), trailer])
}

/** One gzip member of these bytes. */
export async function gzipped(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > MOST_AT_ONCE) return promisify(gzip)(bytes, { level: LEVEL })
  return isPage(bytes) ? pageGzip(bytes) : gzipSync(bytes, { level: LEVEL })
}
