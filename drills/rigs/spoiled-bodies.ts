/** A body that should be refused, and headers where they are what is wrong. */
export interface SpoiledBody {
  readonly what: string
  readonly bytes: Buffer
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

const WRONG: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x'.repeat(5000),
  [],
  [1],
  {},
  { a: { b: 1 } },
]
const TEXTS: Readonly<Record<string, string>> = {
  'no JSON': 'not json',
  nothing: '',
  'half of it': '{"url":"https://',
  'two of them': '{}{}',
  'a number': '1',
  null: 'null',
  'a list': '[]',
  'many lists': '['.repeat(200) + ']'.repeat(200),
  'deep objects': `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  'a key twice': '{"text":"a","text":"b"}',
  'a key twice, written otherwise': '{"text":"a","\\u0074ext":"b"}',
  'a prototype': '{"__proto__":{"rating":5},"constructor":{}}',
  'a huge number': `{"rating":1${'0'.repeat(400)}}`,
  'half a character': '{"text":"\\ud800"}',
  'a NUL': '{"text":"a\\u0000b"}',
  'a byte order mark': '\ufeff{}',
  comments: '{/* x */}',
}

/** Every way in which a body is wrong. An endpoint without a body is sent a few as well. */
export function spoiledBodies(example: unknown): SpoiledBody[] {
  const plain = Object.entries(TEXTS).map(([what, text]) => ({
    what: `a body that is ${what}`,
    bytes: Buffer.from(text),
  }))
  if (typeof example !== 'object' || example === null) return plain.slice(0, 4)
  const fields = Object.entries(example)
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
  const good = json(example)
  const length = ['Content-Length', String(good.byteLength)] as const
  return [
    ...plain,
    ...fields.flatMap(([name]) =>
      WRONG.map((value) => ({
        what: `${name} as ${JSON.stringify(value).slice(0, 20)}`,
        bytes: json({ ...example, [name]: value }),
      })),
    ),
    ...fields.map(([name]) => ({ what: `without ${name}`, bytes: json({ ...example, [name]: undefined }) })),
    { what: 'an unknown field', bytes: json({ ...example, unknown: 1 }) },
    { what: 'too large', bytes: json({ ...example, text: 'x'.repeat(17_000) }) },
    { what: 'far too large', bytes: Buffer.alloc(1_000_000, 'x') },
    {
      what: 'no UTF-8',
      bytes: Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    },
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=utf-16',
      '',
    ].map((type) => ({ what: `sent as ${type}`, bytes: good, headers: [['Content-Type', type], length] as const })),
    {
      what: 'sent compressed',
      bytes: good,
      headers: [['Content-Type', 'application/json'], ['Content-Encoding', 'gzip'], length],
    },
    {
      what: 'sent in no chunks',
      bytes: Buffer.from('zz\r\n'),
      headers: [
        ['Content-Type', 'application/json'],
        ['Transfer-Encoding', 'chunked'],
      ],
    },
  ]
}
