import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RAILS } from '../../../domain/route.ts'
import type { OpenapiDocument } from '../../../wire/openapi.ts'
import { quickstart } from '../../examples/quickstart.ts'
import { SITE } from '../../testing/sample-views.ts'
import { docsPage } from './docs.tsx'
import { fieldsOf, schemaWords } from './schema-words.ts'

const price = { type: 'string', description: 'Dollars' }
const DOCUMENT: OpenapiDocument = {
  openapi: '3.1.1',
  info: {
    title: 'Tollbook',
    summary: 'Evidence',
    description: 'All of it.',
    version: '1.0.0',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  security: [],
  servers: [{ url: SITE.baseUrl }],
  tags: [{ name: 'Threads', description: 'Talk' }],
  paths: {
    '/v1/thread/{host}': {
      post: {
        operationId: 'postByX402',
        tags: ['Threads'],
        summary: 'Post',
        parameters: [
          {
            name: 'host',
            in: 'path',
            required: true,
            description: 'The host',
            schema: { type: 'string' },
            example: 'a.example',
          },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/PostRequest' },
              example: { text: '<b>hi</b>' },
            },
          },
        },
        responses: {
          201: {
            description: 'The post',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Post' } } },
          },
          402: {
            description: 'What to pay',
            headers: { 'PAYMENT-REQUIRED': { description: 'Terms', schema: { type: 'string' } } },
          },
        },
      },
    },
  },
  components: { schemas: { Price: price } },
}

describe('the page of the OpenAPI document', () => {
  const html = docsPage(SITE, DOCUMENT, RAILS)

  it('shows every operation with parameters, body and answers', () => {
    for (const text of [
      '<code>/v1/thread/{host}</code>',
      'host (path, required): The host [string]; for example a.example',
      'Body, application/json: PostRequest',
      '201 The post [application/json Post]',
      '402 What to pay [headers PAYMENT-REQUIRED]',
      'href="/openapi.json"',
      'href="#threads"',
    ]) {
      expect(html).toContain(text)
    }
  })

  it('names the rails that a post is paid through here, and no other', () => {
    expect(html).toContain('dollars through x402 or mpp.')
    const one = docsPage(SITE, DOCUMENT, ['mpp'])
    expect(one).toContain('dollars through mpp. The first answer is 402 with the price; an mpp client pays it')
    expect(one).toContain('/mpp/v1/thread/api.example.com')
  })

  it('has the guard as the documents have it, for this directory', () => {
    const [x402, mpp] = quickstart(SITE, RAILS).find(({ id }) => id === 'guard')?.pastes ?? []
    const documented = readFileSync(new URL('../../../../docs/guard.md', import.meta.url), 'utf8')
    for (const paste of [x402, mpp]) expect(documented).toContain(`\`\`\`ts\n${paste?.text}\n\`\`\`\n`)
    expect(html).toContain('npx tollbook ask https://api.example.com/v1/x --price 0.02')
  })

  it('says that the seller of its examples stands for one that is listed', () => {
    expect(html).toContain('api.example.com stands for a seller here and below')
  })

  it('is plain text without script, and is where the navigation says', () => {
    expect(html).not.toMatch(/<script|<b>hi/)
    expect(html).toContain('<a href="/docs" aria-current="page">Docs</a>')
  })
})

describe('a schema in words', () => {
  it('names references, lists, choices and what may be null', () => {
    const reference = { $ref: '#/components/schemas/Price' }
    expect(schemaWords({ anyOf: [reference, { type: 'null' }] })).toBe('Price or null')
    expect(schemaWords({ type: 'array', items: reference })).toBe('list of Price')
    expect(schemaWords({ type: 'string', enum: ['GET', 'POST'] })).toBe('GET or POST')
    expect(schemaWords({ type: 'boolean', const: true })).toBe('true')
    expect(schemaWords({ type: 'object', additionalProperties: { type: 'integer' } })).toBe('map to integer')
    expect(schemaWords({})).toBe('anything')
  })

  it('lists the members of nested objects with their paths', () => {
    const inner = { type: 'object', properties: { price }, required: ['price'] }
    const schema = {
      type: 'object',
      properties: { one: inner, some: { type: 'array', items: inner }, none: { anyOf: [inner, { type: 'null' }] } },
      required: ['one', 'some'],
    }
    expect(fieldsOf(schema)).toEqual([
      'one: object',
      'one.price: string — Dollars',
      'some: list of objects',
      'some[].price: string — Dollars',
      'none?: object or null',
      'none?.price: string — Dollars',
    ])
    expect(fieldsOf(price)).toEqual(['string — Dollars'])
  })
})
