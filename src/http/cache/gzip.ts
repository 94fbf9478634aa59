import { promisify } from 'node:util'
import { constants, crc32, deflateRawSync, gzip, gzipSync } from 'node:zlib'
import { PAGE_START } from '../../render/html/layout.tsx'

/** Twice as fast as the usual sixth, for a twentieth more bytes. */
const LEVEL = 3
/** Bytes, or characters of a text: handing so little to another thread costs more than compressing it. */
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

/** Of one character of a text in UTF-8. */
const MOST_BYTES_EACH = 3
/** Taken again for every text: room of its own for each would cost as much as writing it (measured). */
const ROOM = Buffer.allocUnsafeSlow(MOST_BYTES_EACH * MOST_AT_ONCE)

/** The bytes of a text that has room there, until the next one is written. */
const written = (text: string): Buffer => ROOM.subarray(0, ROOM.write(text))

/** One gzip member of these bytes, or of a text's. */
export async function gzipped(source: string | Buffer): Promise<Buffer> {
  if (source.length > MOST_AT_ONCE) return promisify(gzip)(source, { level: LEVEL })
  if (typeof source !== 'string') return gzipSync(source, { level: LEVEL })
  if (source.startsWith(PAGE_START)) return pageGzip(written(source.slice(PAGE_START.length)))
  return gzipSync(written(source), { level: LEVEL })
}

function pageGzip(rest: Buffer): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES)
  trailer.writeUInt32LE(crc32(rest, START_CRC), 0)
  trailer.writeUInt32LE(START.length + rest.length, 4)
  return Buffer.concat([HEADER, DEFLATED_START, deflateRawSync(rest, { level: LEVEL }), trailer])
}
