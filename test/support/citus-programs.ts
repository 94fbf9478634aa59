import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Postgres and Citus are installed together; `null` where they are not. */
export function citusPrograms(): string | null {
  try {
    const config = (what: string): string => execFileSync('pg_config', [what], { encoding: 'utf8' }).trim()
    return existsSync(join(config('--pkglibdir'), 'citus.so')) ? config('--bindir') : null
  } catch {
    return null
  }
}
