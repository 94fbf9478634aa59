import { ASK, AUDIT, DOCTOR, PAYMENTS, VERIFY, WHY } from './check.ts'
import { ADD, EXPORT, IMPORT, INGEST, PROBE } from './evidence.ts'
import { BACKUP, MCP, MIGRATE, RESTORE, SERVE, WITNESS } from './run.ts'
import { CLAIM, SAY } from './sellers.ts'
import { HIDE, POST, REVIEW } from './write.ts'

/** Every command, in the order of `tollbook --help`. */
export const CATALOGUE = [
  SERVE,
  MCP,
  MIGRATE,
  BACKUP,
  RESTORE,
  WITNESS,
  INGEST,
  ADD,
  PROBE,
  IMPORT,
  EXPORT,
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
