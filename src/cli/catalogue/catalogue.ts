import { ASK, AUDIT, DOCTOR, PAYMENTS, VERIFY, WHY } from './check.ts'
import { ADD, ARCHIVE, EXPORT, IMPORT, INGEST, PROBE } from './evidence.ts'
import { BACKUP, DISTRIBUTE, MCP, MIGRATE, RESTORE, SERVE, WITNESS } from './run.ts'
import { CLAIM, SAY } from './sellers.ts'
import { HIDE, POST, REVIEW } from './write.ts'

/** Every command, in the order of `tollbook --help`. */
export const CATALOGUE = [
  SERVE,
  MCP,
  MIGRATE,
  DISTRIBUTE,
  BACKUP,
  RESTORE,
  WITNESS,
  INGEST,
  ADD,
  PROBE,
  IMPORT,
  EXPORT,
  ARCHIVE,
  REVIEW,
  POST,
  CLAIM,
  SAY,
  HIDE,
  ASK,
  VERIFY,
  AUDIT,
  DOCTOR,
  WHY,
  PAYMENTS,
] as const

export type CommandName = (typeof CATALOGUE)[number]['name']
