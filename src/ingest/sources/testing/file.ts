import type { SourceSample } from '../../testing/source-sample.ts'

export const fileRecord = {
  kind: 'listing',
  source: 'mine',
  method: 'GET',
  url: 'https://api.mine.example/v1/x',
  rail: 'x402',
  price: '0.010000',
  network: 'base',
  label: 'directory-observed',
  first_observed: '2026-11-14T12:34:56.123456Z',
  last_observed: '2026-11-14T12:34:56.123456Z',
}

export const sample: SourceSample = {
  items: [fileRecord],
  documentOf: (record) => record,
}
