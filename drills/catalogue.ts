import { clock } from './cases/clock.ts'
import { crash } from './cases/crash.ts'
import { databaseGone } from './cases/database-gone.ts'
import { diskFull } from './cases/disk-full.ts'
import { log } from './cases/log.ts'
import { malformed } from './cases/malformed.ts'
import { slowClients } from './cases/slow-clients.ts'
import { tampering } from './cases/tampering.ts'
import type { Drill } from './drill.ts'

/** By the name that `npm run drill -- <name>` takes. */
export const DRILLS: Readonly<Record<string, Drill>> = {
  crash,
  log,
  tampering,
  'disk-full': diskFull,
  'database-gone': databaseGone,
  clock,
  'slow-clients': slowClients,
  malformed,
}
