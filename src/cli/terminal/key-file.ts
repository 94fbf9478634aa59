import { readFile, stat } from 'node:fs/promises'
import { type Hex, isHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Problem } from '../../domain/problem.ts'

const OTHERS = 0o077

const unreadable = (file: string, why: string): Problem =>
  new Problem('key-file', 400, 'Key file', `${file} ${why}`, 'it holds the 64 hex digits of a private key')

/** The wallet whose private key a file holds, in hex. Tells `warn` when others than its owner may read the file. */
export async function accountIn(file: string, warn: (text: string) => void): Promise<PrivateKeyAccount> {
  const { mode } = await found(file, stat(file))
  // Windows keeps no such bits and answers them all.
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) warn(`${file} can be read by others: chmod 600 ${file}`)
  const written = (await found(file, readFile(file, 'utf8'))).trim()
  const key = keyOf(written)
  if (key === undefined) throw unreadable(file, 'holds no private key')
  try {
    return privateKeyToAccount(key)
  } catch {
    // Zero, or beyond the order of the curve.
    throw unreadable(file, 'holds no private key')
  }
}

function keyOf(text: string): Hex | undefined {
  const key = text.startsWith('0x') ? text : `0x${text}`
  return isHex(key) && key.length === 66 ? key : undefined
}

async function found<T>(file: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch {
    throw unreadable(file, 'cannot be read')
  }
}
