import type { SellerHost } from '../domain/host.ts'
import { hostKey, nextKey } from '../domain/keys.ts'
import type { Reader } from './schema.ts'

/** The host's number, or `undefined` when nobody ever named it. */
export async function findHostId(reader: Reader, host: SellerHost): Promise<number | undefined> {
  for (let key = hostKey(host); ; key = nextKey(key)) {
    const row = await reader.selectFrom('hosts').select('name').where('host_id', '=', key).executeTakeFirst()
    if (row === undefined) return undefined
    if (row.name === host) return key
  }
}
