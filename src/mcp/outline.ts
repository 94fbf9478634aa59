import { z } from 'zod'
import type { JsonSchema } from '../wire/openapi.ts'

/** Of whom, the description of the API says. */
const OF_EARLIER = '; left out by directories of earlier versions'

/** What a member is, in words. Of an object, the names of its members alone. */
function memberOf(schema: z.core.$ZodType): JsonSchema {
  const said = [descriptionOf(schema), namesIn(schema)].filter((words) => words !== '')
  return { ...typeOf(schema), ...(said.length > 0 && { description: said.join(' ') }) }
}

/** Its own, or else that of what may be left out or null there. */
function descriptionOf(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? {}
  if (description !== undefined) return description.replace(OF_EARLIER, '; optional')
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? descriptionOf(schema.unwrap()) : ''
}

function namesIn(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namesIn(schema.unwrap())
  if (schema instanceof z.ZodArray) return namesIn(schema.element)
  return schema instanceof z.ZodObject ? `{ ${Object.keys(schema.shape).join(', ')} }` : ''
}

function typeOf(schema: z.core.$ZodType): JsonSchema {
  if (schema instanceof z.ZodOptional) return typeOf(schema.unwrap())
  if (schema instanceof z.ZodNullable) return orNull(typeOf(schema.unwrap()))
  if (schema instanceof z.ZodArray) return { type: 'array', items: typeOf(schema.element) }
  if (schema instanceof z.ZodObject) return { type: 'object' }
  const { type, enum: words, const: word } = z.toJSONSchema(schema, { io: 'output' })
  return { ...(type && { type }), ...(words && { enum: words }), ...(word !== undefined && { const: word }) }
}

const orNull = ({ type, enum: words, ...rest }: JsonSchema): JsonSchema => ({
  ...(type !== undefined && { type: [type, 'null'] }),
  ...(Array.isArray(words) && { enum: [...words, null] }),
  ...rest,
})

/** Without what nobody needs to be told: every agent that connects reads the schemas of all tools. */
const SHORT = { $schema: undefined }

/**
 * What a tool declares of the document that it answers with: its members, what they are and what is inside by its name. What may be left
 * out says so; the description of the API has the rest.
 */
export function outlineOf({ shape }: z.ZodObject): z.ZodObject {
  const members = Object.entries(shape)
  const properties = Object.fromEntries(members.map(([name, schema]) => [name, memberOf(schema)]))
  return z.looseObject({}).meta({ ...SHORT, additionalProperties: undefined, properties })
}

/** The arguments of a tool. One that it does not know is refused: a limit that is misspelt must not go unheard. */
export const argumentsOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape).meta(SHORT)
