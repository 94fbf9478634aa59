import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** What a program printed, or `undefined` when it is not there or failed. */
export function said(program: string, argv: readonly string[], cwd?: string): string | undefined {
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    return execFileSync(program, argv, { encoding: 'utf8', env, cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

/** Where what is fetched once is kept for later runs. */
export const KEPT = 'TOLLBOOK_TEST_KEPT'
const keptFolder = (): string => join(process.env[KEPT] ?? tmpdir(), 'tollbook-debian')

/**
 * A program of a Debian package: the installed one, or else one unpacked beside the tests, with nothing installed. Where
 * neither can be had, `undefined` and a word about it.
 */
export function programOf(pack: string, path: string): string | undefined {
  const installed = said('which', [basename(path)])?.trim()
  if (installed) return installed
  const kept = join(keptFolder(), pack)
  if (!existsSync(join(kept, path))) unpack(pack, kept)
  if (existsSync(join(kept, path))) return join(kept, path)
  process.stderr.write(`No ${basename(path)}: what needs it is not tried. Install the package ${pack}.\n`)
  return undefined
}

function unpack(pack: string, target: string): void {
  if (said('which', ['apt-get']) === undefined) return
  mkdirSync(keptFolder(), { recursive: true })
  const folder = mkdtempSync(join(keptFolder(), 'unpacking-'))
  const download = (): string | undefined => said('apt-get', ['-qq', 'download', pack], folder)
  if (download() === undefined && said('apt-get', ['-qq', 'update']) !== undefined) download()
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.deb'))
  if (file === undefined || said('dpkg-deb', ['-x', join(folder, file), join(folder, 'files')]) === undefined) return
  try {
    renameSync(join(folder, 'files'), target)
  } catch {
    // Another test has put it there meanwhile.
  }
}
