/** Whether a value has the outline of a document. Schemas would weigh more than everything else that a browser loads. */
export type Outline<T> = (value: unknown) => value is T

type Check = (value: unknown) => boolean

export const text: Check = (value) => typeof value === 'string'
export const number: Check = (value) => typeof value === 'number'
export const flag: Check = (value) => typeof value === 'boolean'
export const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
/** Or nothing: `null`, or left out. */
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === null || value === undefined || check(value)

export const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([name, check]) => check(Reflect.get(value, name)))

export const outline = <T>(checks: Readonly<Record<string, Check>>): Outline<T> => {
  const check = members(checks)
  return (value): value is T => check(value)
}
