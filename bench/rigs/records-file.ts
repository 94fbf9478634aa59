import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { hostEvidence, hostName, listingRecord, probeRecord, RECORDS_PER_HOST } from './data.ts'

/** Writes the records of so many hosts, as an export would; answers how many records there are. */
export async function writeRecords(file: string, hosts: number): Promise<number> {
  const out = createWriteStream(file)
  for (let n = 0; n < hosts; n++) {
    const { listings, probes } = hostEvidence(hostName(n))
    const lines = [...listings.map(listingRecord), ...probes.map(probeRecord)].map((record) => JSON.stringify(record))
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return hosts * RECORDS_PER_HOST
}
