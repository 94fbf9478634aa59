import type { Columns, Row } from './dialect.ts'

// Arrays as Postgres sends them itself. In its own text every quote of a text is to be marked here and found there, and every
// number is written in digits and read again: twice to eight times as much for us, and more for the server.

const INT8 = 20
const TEXT = 25
/** Dimensions, whether any is null, the type; of its one dimension how long it is, and where it begins. */
const HEAD_BYTES = 20
const LENGTH_BYTES = 4
const INT8_BYTES = 8
const NULL_LENGTH = -1
const TWO_32 = 2 ** 32

/** A column of rows. The driver sends bytes as they are. */
export const ARRAY_OF: Readonly<Record<Columns[string], (rows: readonly Row[], column: number) => Uint8Array>> = {
  int: intArray,
  text: textArray,
}

function intArray(rows: readonly Row[], column: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + rows.length * (LENGTH_BYTES + INT8_BYTES))
  let at = HEAD_BYTES
  for (const row of rows) {
    const value = row[column] ?? null
    if (value === null) {
      at = bytes.writeInt32BE(NULL_LENGTH, at)
      continue
    }
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is no whole number`)
    const high = Math.floor(Number(value) / TWO_32)
    at = bytes.writeInt32BE(INT8_BYTES, at)
    at = bytes.writeInt32BE(high, at)
    at = bytes.writeUInt32BE(Number(value) - high * TWO_32, at)
  }
  writeHead(bytes, INT8, rows.length)
  return bytes.subarray(0, at)
}

function textArray(rows: readonly Row[], column: number): Uint8Array {
  const texts = rows.map((row) => {
    const value = row[column] ?? null
    return value === null ? null : String(value)
  })
  let length = HEAD_BYTES
  for (const text of texts) length += LENGTH_BYTES + (text === null ? 0 : Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(length)
  let at = HEAD_BYTES
  for (const text of texts) {
    const written = text === null ? 0 : bytes.write(text, at + LENGTH_BYTES)
    bytes.writeInt32BE(text === null ? NULL_LENGTH : written, at)
    at += LENGTH_BYTES + written
  }
  writeHead(bytes, TEXT, rows.length)
  return bytes
}

function writeHead(bytes: Buffer, type: number, length: number): void {
  let at = bytes.writeInt32BE(1)
  // That some may be null costs nothing where none is.
  at = bytes.writeInt32BE(1, at)
  at = bytes.writeInt32BE(type, at)
  at = bytes.writeInt32BE(length, at)
  bytes.writeInt32BE(1, at)
}
