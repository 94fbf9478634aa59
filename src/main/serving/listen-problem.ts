import { Problem } from '../../domain/problem.ts'

/** A port that was to be opened, and the variables that say which. */
export interface Listening {
  readonly port: number
  readonly bind: string | undefined
  readonly variables: { readonly port: string; readonly bind: string }
  /** What this program was told to open beside it. */
  readonly beside?: { readonly port: number | undefined; readonly variable: string }
}

/** Why a port could not be opened, as one line for the operator; any other error as it is. */
export function listenProblem(error: unknown, { port, bind, variables, beside }: Listening): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const fault = (detail: string): Problem => new Problem('cannot-listen', 500, 'Cannot listen', detail, '')
  switch (code) {
    case 'EADDRINUSE':
      if (beside?.port === port)
        return fault(`${variables.port} and ${beside.variable} are both ${port}; set one of them to another port`)
      return fault(`port ${port} is in use; set ${variables.port} to another one`)
    case 'EACCES':
      return fault(`port ${port} may not be opened by this user; set ${variables.port} to one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL':
      return fault(`this machine has no address ${bind}; set ${variables.bind} to one of its own or unset it`)
    default:
      return error
  }
}
