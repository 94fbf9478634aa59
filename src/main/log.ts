import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { LogLevel } from './settings/log-level.ts'

/** JSON, one object a line. Nothing that came in a header or a query is ever logged, only the names of things. */
export const createLog = (level: LogLevel, destination?: DestinationStream): Logger =>
  pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    destination ?? pino.destination(1),
  )
