import type { z } from 'zod'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'

export const fieldProblem = (field: string, fault: string): Problem =>
  problem('invalid-field', `The field ${field} ${fault}.`, { more: { field } })

/** What is wrong with a body, from the first issue of its schema. `expected` says of each field what it must be. */
export function bodyFault(
  issue: z.core.$ZodIssue | undefined,
  body: unknown,
  expected: Readonly<Record<string, string>>,
): Problem {
  if (issue?.code === 'unrecognized_keys') {
    const field = [...issue.path.map(String), issue.keys[0] ?? ''].join('.').slice(0, 100)
    return problem('invalid-field', `The field ${JSON.stringify(field)} is not known.`, { more: { field } })
  }
  const field = issue?.path.map(String).join('.') ?? ''
  if (field === '') return problem('invalid-field', 'The body is not a JSON object.', { more: { field: null } })
  // Inside an object of strangers the path may name what a stranger wrote.
  const known = knownPart(field, expected)
  return fieldProblem(known, isMissing(body, known) ? 'is missing' : `must be ${expected[known]}`)
}

function knownPart(field: string, expected: Readonly<Record<string, string>>): string {
  const parts = field.split('.')
  while (parts.length > 1 && expected[parts.join('.')] === undefined) parts.pop()
  return parts.join('.')
}

function isMissing(body: unknown, field: string): boolean {
  const value = field.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), body)
  return value === undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
