import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { counted, entriesCounted, thousands, thousandsOf } from '../../domain/count.ts'
import { Problem } from '../../domain/problem.ts'
import { type Audited, audit, KeyChangedError } from '../../log/audit/audit.ts'
import { UnreadableError } from '../../log/audit/reading.ts'
import { BrokenLogError } from '../../log/audit/tree-reader.ts'
import { MalformedError } from '../../log/tlog/index.ts'
import { AUDIT } from '../catalogue/check.ts'
import { type Command, expected, isWebAddress, onlyWord } from '../command.ts'
import { plainLine } from '../terminal/plain.ts'
import { progressOn, type Screen } from '../terminal/progress.ts'

const DIRECTORY = 'the http or https address of a directory'

/** `tollbook audit <base_url>`: exits with 1 when anything is shown otherwise than the log gives it. */
export const auditCommand = (fetch: typeof globalThis.fetch): Command => ({
  run: async (argv, { out, err }) => {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: AUDIT.options })
    const address = onlyWord(AUDIT, positionals, DIRECTORY)
    if (!isWebAddress(address)) throw expected(AUDIT, AUDIT.takes, DIRECTORY)
    const baseUrl = address.replace(/\/+$/, '')
    const folder = join(values.folder, folderNameOf(baseUrl))
    const progress = progressOn(err)
    try {
      const audited = await audit({
        ...{ baseUrl, fetch, folder, vkey: values.vkey },
        onProgress: (what, done, of) => progress.update(what === 'entries' ? 'entries' : 'hosts  ', done, of),
      })
      progress.end()
      return tell(audited, out)
    } catch (error) {
      progress.end()
      if (error instanceof BrokenLogError) {
        out.write(`The log is broken: ${plainLine(error.message)}\n`)
        return 1
      }
      if (error instanceof KeyChangedError)
        throw new Problem('key-changed', 400, 'The key changed', error.message, KEY_HINT)
      if (error instanceof UnreadableError || error instanceof MalformedError)
        throw new Problem('no-log', 400, 'No log', error.message, hintOf(error))
      throw error
    }
  },
})

const KEY_HINT = 'find out from its operator whether that is meant, and give the new one with --vkey'

/** What the directory itself advises, where it does: a log may be stopped, or off. */
const hintOf = (error: UnreadableError | MalformedError): string =>
  (error instanceof UnreadableError ? error.hint : undefined) ?? 'name the address of a directory that keeps a log'

/** Of one directory alone: a host may have several, each below a path of its own. */
function folderNameOf(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl)
  return `${host.replaceAll(':', '_')}${pathname === '/' ? '' : encodeURIComponent(pathname)}`
}

/** `docs/log.md` says the same at length. */
const NOT_COMPARED =
  'Not compared: payees, ownership, words of descriptions, which routes count for the now and the price check of a host, medians, windows, contradictions, lists of hosts, decisions.\n'

function tell({ vkey, size, hosts, before, differences, unread, bytes }: Audited, out: Screen): number {
  for (const { host, what, shown, logged } of differences)
    out.write(`${plainLine(`${host}: ${what}: shown ${shown}, the log gives ${logged}`)}\n`)
  if (unread > 0) out.write(`${entriesCounted(unread)} of a later version could not be replayed.\n`)
  out.write(`Log ${plainLine(vkey)}\n`)
  out.write(
    before === null
      ? `First checkpoint seen: ${entriesCounted(size)}.\n`
      : `Goes on from the checkpoint of ${entriesCounted(before)} that was seen last.\n`,
  )
  const read = `${entriesCounted(size)}, ${thousandsOf(hosts, 'host')}, ${thousands(bytes)} bytes read`
  out.write(
    differences.length === 0
      ? `Everything that is compared follows from the log: ${read}.\n`
      : `${counted(differences.length, 'difference')}: ${read}.\n`,
  )
  out.write(NOT_COMPARED)
  return differences.length === 0 ? 0 : 1
}
