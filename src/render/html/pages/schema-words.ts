import type { JsonSchema } from '../../../wire/openapi.ts'

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : [])

/** A JSON Schema in a few words: `Price or null`, `list of Route`, `GET or POST`. */
export function schemaWords(schema: JsonSchema): string {
  const { $ref: reference, anyOf, type, items, additionalProperties } = schema
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1)
  if (Array.isArray(anyOf)) return schemasIn(anyOf).map(schemaWords).join(' or ')
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' or ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (type === 'array') return `list of ${isSchema(items) ? schemaWords(items) : 'anything'}`
  if (type === 'object' && isSchema(schema.properties)) return `{ ${Object.keys(schema.properties).join(', ')} }`
  if (type === 'object' && isSchema(additionalProperties)) return `map to ${schemaWords(additionalProperties)}`
  return typeof type === 'string' ? type : 'anything'
}

/** One line for each member of an object, nested ones with their path; a single line for anything else. */
export function fieldsOf(schema: JsonSchema, prefix = ''): string[] {
  const { properties, required } = schema
  if (!isSchema(properties)) return [withNote(schemaWords(schema), schema)]
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).flatMap(([name, member]) => {
    if (!isSchema(member)) return []
    const path = `${prefix}${name}${needed.has(name) ? '' : '?'}`
    const inner = innerObject(member)
    const line = withNote(`${path}: ${inner === undefined ? schemaWords(member) : outerWords(member)}`, member)
    return inner === undefined ? [line] : [line, ...fieldsOf(inner.schema, `${path}${inner.join}`)]
  })
}

const withNote = (line: string, { description }: JsonSchema): string =>
  typeof description === 'string' ? `${line} — ${description}` : line

/** The object that a member is, may be, or is a list of. */
function innerObject(member: JsonSchema): { readonly schema: JsonSchema; readonly join: string } | undefined {
  if (isSchema(member.properties)) return { schema: member, join: '.' }
  if (member.type === 'array' && isSchema(member.items)) {
    const inner = innerObject(member.items)
    return inner && { schema: inner.schema, join: '[].' }
  }
  const [only, ...others] = schemasIn(member.anyOf).filter(({ type }) => type !== 'null')
  return only === undefined || others.length > 0 ? undefined : innerObject(only)
}

const outerWords = (member: JsonSchema): string => {
  if (member.type === 'array') return 'list of objects'
  return Array.isArray(member.anyOf) ? 'object or null' : 'object'
}
