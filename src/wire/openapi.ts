/** The parts of an OpenAPI 3.1 document that this directory writes. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface OpenapiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: string | number
}

export interface OpenapiMedia {
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface OpenapiHeader {
  readonly description: string
  readonly schema: JsonSchema
}

export interface OpenapiAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, OpenapiHeader>>
  readonly content?: Readonly<Record<string, OpenapiMedia>>
}

export interface OpenapiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly OpenapiParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, OpenapiMedia>> }
  readonly responses: Readonly<Record<string, OpenapiAnswer>>
  readonly 'x-payment-info'?: Readonly<Record<string, unknown>>
}

export type OpenapiMethod = 'get' | 'post'

export interface OpenapiDocument {
  readonly openapi: '3.1.1'
  readonly info: {
    readonly title: string
    readonly summary: string
    readonly description: string
    readonly version: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string }[]
  /** None: nobody needs a key. What is paid for is paid for by headers of its own. */
  readonly security: readonly []
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<OpenapiMethod, OpenapiOperation>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}
