import { parseArgs } from 'node:util'
import { Problem } from '../../domain/problem.ts'
import { MalformedError } from '../../log/tlog/index.ts'
import { runWitness, type WitnessSettings } from '../../log/witness/run-witness.ts'
import { WITNESS } from '../catalogue/run.ts'
import { type Command, expected, misuse } from '../command.ts'

export interface WitnessDeps {
  /** Resolves with the next signal to end. */
  nextSignal(): Promise<string>
  nowS(): number
}

/** `tollbook witness <vkey…>`: runs until it is told to stop. */
export const witnessCommand = ({ nextSignal, nowS }: WitnessDeps): Command => ({
  run: async (argv, { out, err }) => {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: WITNESS.options })
    const { name, listen, folder } = values
    const { host, port } = placeIn(listen)
    if (positionals.length === 0) throw expected(WITNESS, WITNESS.takes, 'the keys of the logs to be watched')
    if (name === undefined) throw expected(WITNESS, '--name', 'the name of the witness, such as witness.example')
    const told = nextSignal()
    const onTrouble = (error: unknown): void => {
      err.write(`Nothing was cosigned: ${error instanceof Error ? error.message : String(error)}\n`)
    }
    const witness = await started({ name, folder, vkeys: positionals, host, port, nowS, onTrouble })
    out.write(`Witness ${witness.vkey}\n`)
    for (const vkey of positionals) out.write(`Watches ${vkey}\n`)
    out.write(`Listens on http://${host}:${witness.port}\n`)
    await told
    await witness.close()
    return 0
  },
})

function placeIn(listen: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:\s]+):(\d{1,5})$/i.exec(listen) ?? []
  if (host === undefined || Number(port) > 65_535)
    throw misuse(`--listen is not taken: ${listen}`, 'write it as 127.0.0.1:8403')
  return { host, port: Number(port) }
}

async function started(settings: WitnessSettings) {
  try {
    return await runWitness({ ...settings, host: settings.host.replace(/^\[|\]$/g, '') })
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError)
      throw misuse(error.message, 'a key is <name>+<id>+<key>, as a log shows it; names have neither spaces nor +')
    if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
      throw new Problem('cannot-listen', 500, 'Cannot listen', error.message, 'name another place with --listen')
    throw error
  }
}
