/** What the prober says to its operator; a pino logger is one. */
export interface ProbeLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
