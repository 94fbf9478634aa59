import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENVIRONMENT } from './environment.ts'
import { misspeltIn } from './misspelt.ts'

const KNOWN = Object.keys(ENVIRONMENT.shape)

describe('misspelt variables', () => {
  it('are those that a letter was left out of, or an underscore', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KNOWN.filter((name) => name.length > 5)), fc.nat(), (name, nat) => {
        const at = nat % name.length
        const wrong = name.slice(0, at) + name.slice(at + 1)
        const found = misspeltIn([wrong, name, 'HOME', 'PATH'], KNOWN)
        expect(KNOWN.includes(wrong) ? [] : found.map((one) => one.name)).toEqual(KNOWN.includes(wrong) ? [] : [wrong])
        if (!KNOWN.includes(wrong)) expect(KNOWN).toContain(found[0]?.meant)
      }),
    )
    expect(misspeltIn(['TOLLBOOK_PORT', 'TOLLBOOK_BASE_URL', 'TOLLBOOK_HOME', 'TOLLBOOK_TEST_CITUS'], KNOWN)).toEqual([
      { name: 'TOLLBOOK_PORT', meant: 'PORT' },
      { name: 'TOLLBOOK_BASE_URL', meant: 'BASE_URL' },
    ])
    expect(misspeltIn(['BASEURL', 'base_url', 'RATE_LIMIT', 'X402_PAYTO'], KNOWN)).toEqual([
      { name: 'BASEURL', meant: 'BASE_URL' },
      { name: 'base_url', meant: 'BASE_URL' },
      { name: 'RATE_LIMIT', meant: 'RATE_LIMITS' },
      { name: 'X402_PAYTO', meant: 'X402_PAY_TO' },
    ])
  })

  it('are none of what an ordinary environment has', () => {
    const ordinary = `HOME PATH PWD USER LANG LANGUAGE TERM SHELL SHLVL HOSTNAME LOGNAME TMPDIR EDITOR PAGER DISPLAY MAIL
      NODE_ENV NODE_OPTIONS PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE TZ CI DEBIAN_FRONTEND INVOCATION_ID JOURNAL_STREAM
      STATE_DIRECTORY XDG_RUNTIME_DIR SSH_AUTH_SOCK OLDPWD LC_ALL COLORTERM HTTP_PROXY HTTPS_PROXY NO_PROXY`
    expect(misspeltIn(ordinary.split(/\s+/), KNOWN)).toEqual([])
  })
})
