import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { seedIn } from '../key.ts'
import { newCosigner, newVerifier } from '../tlog/index.ts'
import { forgotten, WitnessMemory } from './memory.ts'
import { Witness } from './witness.ts'
import { createWitnessServer } from './witness-server.ts'

const KEY_FILE = 'witness.key'

export interface WitnessSettings {
  readonly name: string
  /** Holds its key and what it has seen; made when it is not there. */
  readonly folder: string
  /** The keys of the logs it watches. */
  readonly vkeys: readonly string[]
  readonly host: string
  readonly port: number
  readonly nowS: () => number
  readonly onTrouble: (error: unknown) => void
}

export interface RunningWitness {
  readonly vkey: string
  readonly port: number
  /** Lets what is under way finish. */
  close(): Promise<void>
}

/** Opens the folder and the port. Rejects with Node's own error when the port cannot be opened. */
export async function runWitness(settings: WitnessSettings): Promise<RunningWitness> {
  const { name, folder, vkeys, host, port, nowS, onTrouble } = settings
  const logs = vkeys.map((vkey) => newVerifier(vkey))
  const memory = await memoryIn(folder)
  const cosigner = await newCosigner(seedIn(folder, KEY_FILE), name)
  const witness = new Witness({ cosigner, logs, memory, nowS })
  const front = [`Witness: ${cosigner.vkey}`, ...vkeys.map((vkey) => `Watches: ${vkey}`), ''].join('\n')
  const origins = logs.map((log) => log.name)
  const server = createWitnessServer({ witness, memory, origins, front, onTrouble })
  server.listen({ host, port })
  await once(server, 'listening')
  const address = server.address()
  return {
    vkey: cosigner.vkey,
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** Made before the key is: a key without memory has lost it. */
async function memoryIn(folder: string): Promise<WitnessMemory> {
  const memory = await WitnessMemory.read(folder)
  if (memory !== undefined) return memory
  if (existsSync(join(folder, KEY_FILE))) throw forgotten(folder, 'is not there')
  return WitnessMemory.create(folder)
}
