import { Problem } from '../../domain/problem.ts'

export const configurationProblem = (detail: string, hint: string): Problem =>
  new Problem('configuration', 500, 'Invalid configuration', detail, hint)
