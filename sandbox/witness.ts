import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { originOf, seedIn } from '../src/log/key.ts'
import { newSigner } from '../src/log/tlog/index.ts'
import { runWitness } from '../src/log/witness/run-witness.ts'
import { freePort } from '../src/main/crew/free-port.ts'

/** Somebody else who watches the directory's log, on the same machine for once. */
export interface SandboxWitness {
  /** As `LOG_WITNESSES` names it. */
  readonly named: string
  readonly url: string
  stop(): Promise<void>
}

/** Its log has an address and a key before the directory is there. */
export async function startWitness(folder: string, dataDir: string, baseUrl: string): Promise<SandboxWitness> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const log = await newSigner(seedIn(dataDir), originOf(baseUrl))
  const witness = await runWitness({
    ...{ name: 'witness.test', folder: join(folder, 'witness'), vkeys: [log.vkey], host: '127.0.0.1', port: 0 },
    ...{ nowS: () => Math.floor(Date.now() / 1000), onTrouble: () => undefined },
  })
  const url = `http://127.0.0.1:${witness.port}`
  return { named: `${witness.vkey} ${url}`, url, stop: () => witness.close() }
}

/** The port that a server will have: `0` is any free one, chosen now. */
export const portFor = async (wanted: number): Promise<number> => (wanted === 0 ? freePort('127.0.0.1') : wanted)
