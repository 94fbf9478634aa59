import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** JSON, one object a line. Nothing that came in a header or a query is ever logged, only the names of things. */
export const createLog = (level: LogLevel, destination?: DestinationStream): Logger =>
  pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    destination ?? pino.destination(1),
  )
