import { ASK, DOCTOR, PAYMENTS, VERIFY, WHY } from './check.ts'
import { ADD, EXPORT, IMPORT, INGEST, PROBE } from './evidence.ts'
import { BACKUP, MCP, MIGRATE, RESTORE, SERVE } from './run.ts'
import { HIDE, POST, REVIEW } from './write.ts'

/** Every command, in the order of `tollbook --help`. */
export const CATALOGUE = [
  SERVE,
  MCP,
  MIGRATE,
  BACKUP,
  RESTORE,
  INGEST,
  ADD,
  PROBE,
  IMPORT,
  EXPORT,
  REVIEW,
  POST,
  HIDE,
  ASK,
  VERIFY,
  DOCTOR,
  WHY,
  PAYMENTS,
] as const

export type CommandName = (typeof CATALOGUE)[number]['name']
