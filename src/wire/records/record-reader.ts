import type { AllowHosts } from '../../domain/host.ts'
import { recordSchema } from '../records.ts'
import { exactRecords } from './exact.ts'
import { rememberedAddresses } from './fields.ts'

export type RecordReader = ReturnType<typeof recordSchema>['safeParse']

/** Reads what `recordSchema` does, and says the same of it: files hold hundreds of thousands of listings and entries. */
export function recordReader(allow: AllowHosts): RecordReader {
  const schema = recordSchema(allow)
  const exact = exactRecords(rememberedAddresses(allow))
  return (value) => {
    const data = exact(value)
    return data === undefined ? schema.safeParse(value) : { success: true, data }
  }
}
