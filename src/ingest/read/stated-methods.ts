import { type Fields, field, fieldsOf, listOf, textOf } from './guards.ts'

const METHOD_FIELDS = ['method', 'httpMethod', 'http_method', 'verb', 'methods']
const MOST_METHODS = 5

/** Version 2 writes `extensions.bazaar.info.input`, version 1 `outputSchema.input`; both also occur inside an accept. */
export const inputsOf = (fields: Fields): Fields[] => [
  fieldsOf(field(fieldsOf(field(fieldsOf(field(fieldsOf(field(fields, 'extensions')), 'bazaar')), 'info')), 'input')),
  fieldsOf(field(fieldsOf(field(fields, 'outputSchema')), 'input')),
]

/** One method or several: as a text, or as a list of them. */
const methodsIn = (fields: Fields, name: string): string[] => {
  const text = textOf(fields, name)
  const methods = text === undefined ? listOf(field(fields, name)).slice(0, MOST_METHODS) : [text]
  return methods.filter((method) => typeof method === 'string')
}

/** The methods that stand with the route, or in the description of its input. */
export function methodsOf(entry: Fields): string[] {
  const stated = [entry, fieldsOf(field(entry, 'resource'))]
    .flatMap((place) => METHOD_FIELDS.map((name) => methodsIn(place, name)))
    .find((methods) => methods.length > 0)
  if (stated !== undefined) return stated
  const described = [entry, ...listOf(field(entry, 'accepts')).slice(0, MOST_METHODS).map(fieldsOf)]
    .flatMap((place) => [...inputsOf(place), fieldsOf(field(place, 'input'))])
    .map((input) => textOf(input, 'method'))
    .find((method) => method !== undefined)
  return described === undefined ? [] : [described]
}
