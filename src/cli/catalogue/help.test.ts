import { describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue.ts'
import { type CommandEntry, usageOf } from './entry.ts'
import { commandHelpOf, helpOf } from './help.ts'
import { SERVE } from './run.ts'
import { POST } from './write.ts'

const CALLED = 'node bin/tollbook.js'
const ENTRIES: readonly CommandEntry[] = CATALOGUE

describe('help', () => {
  it('lists every command in its group, with the columns aligned', () => {
    expect(helpOf(ENTRIES, CALLED)).toBe(`Usage: tollbook <command> [options]

Run
  tollbook serve                      run pages, API, sweeps and probes
  tollbook mcp                        Model Context Protocol tools on stdio
  tollbook migrate                    bring the schema up to date
  tollbook distribute                 spread the tables over a Citus cluster
  tollbook backup <file>              write a verified copy of the store
  tollbook restore <file>             put a backup into an empty store
  tollbook witness <vkey…>            cosign others' logs while they only grow

Evidence
  tollbook ingest [source…]           sweep the listing sources once
  tollbook add <url>                  list the routes of one seller
  tollbook probe [host…]              probe what is due once, without paying
  tollbook import <file>              save the NDJSON records of a file
  tollbook export [file]              write everything as NDJSON records
  tollbook archive                    write old months to files, then remove them

Write
  tollbook review <url>               sign and submit a review
  tollbook post <host>                pay for a post to a thread
  tollbook claim <host>               prove that a seller host is yours
  tollbook say <host> <kind> [about]  answer, correct or retire as the seller
  tollbook hide <kind> <id>           take the text of a post or a review down

Check
  tollbook ask <url>                  what a guard would say before paying
  tollbook verify [kind <file>]       recompute every counter; check a writing
  tollbook audit <base_url>           hold a directory against its log
  tollbook doctor                     say what this instance still lacks
  tollbook why <url|host>             why it is listed and probed, or is not
  tollbook payments [post]            list payments for posts, or tell of one

tollbook <command> --help says more about one, tollbook --version which this is.
Here "tollbook" stands for: node bin/tollbook.js
`)
  })

  it('says of one command how it is called, what it does, its options and an example', () => {
    expect(commandHelpOf(POST, CALLED)).toBe(`Usage: tollbook post <host> --key-file <file> [options]

Pay for a post to a thread.
Shows the price and who is paid, asks, pays, and stays until the outcome is
known. A refused post costs nothing.

Options
  --key-file <file>        needed: the private key of the wallet, in hex
  --text "…"               what you write; standard input unless given
  --max-cost <dollars>     nothing dearer is signed (0.05 unless given)
  --idempotency-key <key>  another one pays for the same words again
  --yes                    pay without asking
  --rpc-url <url>          a node of the network that mpp pays on
  --rail x402|mpp          how the post is paid (x402 unless given)
  --to <address>           the directory (BASE_URL unless given)

Example
  node bin/tollbook.js post api.example.com --key-file wallet.key --text 'Does the price include retries?'
`)
  })

  it('of serve names every role', () => {
    expect(commandHelpOf(SERVE, CALLED)).toContain('Roles are web, ingest, probe, log: ')
  })

  it.each(ENTRIES)('of $name fits a terminal, and its example is a call that its usage allows', (entry) => {
    const lines = commandHelpOf(entry, CALLED).split('\n')
    expect(lines.filter((line) => line.length > 80 && !line.includes(CALLED))).toEqual([])
    expect(entry.example.split(' ')[0]).toBe(entry.name)
    for (const needed of usageOf(entry).match(/--[a-z-]+/g) ?? []) expect(entry.example).toContain(`${needed} `)
    const named = entry.example.match(/--[a-z-]+/g) ?? []
    expect(named.filter((option) => !(option.slice(2) in entry.options))).toEqual([])
  })
})
