/** One file on a flow's way, and what happens there. */
export interface Step {
  readonly file: string
  readonly does: string
  /** Who hands it over, where no file before it imports it. */
  readonly from?: string
}

export interface Flow {
  readonly title: string
  readonly steps: readonly Step[]
}

/** The ways through the house that a newcomer asks for first, file by file, top to bottom. */
export const FLOWS: Readonly<Record<string, Flow>> = {
  listing: {
    title: 'A listing becomes a fact',
    steps: [
      { file: 'src/ingest/ingester.ts', does: 'leases a source that is due, and sweeps it' },
      { file: 'src/ingest/sweep/sweep.ts', does: "chooses the walk: pages, sellers' documents or a file" },
      { file: 'src/ingest/sweep/sweep-pages.ts', does: 'asks for one page after the other, and resumes' },
      {
        file: 'src/ingest/sources/bazaar.ts',
        does: 'reads what the source sent into listings and refusals',
        from: 'src/ingest/sources/index.ts',
      },
      {
        file: 'src/ingest/sweep/stored-sweeps.ts',
        does: "saves each page with the sweep's progress",
        from: 'src/ingest/ingester.ts',
      },
      { file: 'src/store/facts/save-listings.ts', does: 'one transaction: rows, payees, descriptions, announcements' },
      { file: 'src/store/hosts/host-transaction.ts', does: 'claims hosts and routes, counts, raises versions' },
      { file: 'src/store/facts/facts.ts', does: "chooses each route's price from its rows" },
    ],
  },
  probe: {
    title: 'A probe reaches the page',
    steps: [
      { file: 'src/probe/prober.ts', does: 'gives new routes their place in the schedule, and runs' },
      { file: 'src/probe/prober-run.ts', does: 'claims hosts that are due, as many at once as allowed' },
      { file: 'src/probe/visit.ts', does: "one host's turn: robots.txt, politeness, one route after the other" },
      { file: 'src/probe/probe-route.ts', does: 'one unpaid request, its class and its challenge' },
      { file: 'src/probe/egress.ts', does: "the one door to strangers' addresses" },
      { file: 'src/probe/recorder.ts', does: 'holds results until they are saved, and nothing while offline' },
      { file: 'src/probe/saver.ts', does: 'saves what came in together, and tries again' },
      { file: 'src/store/probes/save-probes.ts', does: 'one transaction: entries, counters, histogram, class changes' },
    ],
  },
  read: {
    title: 'A host is read',
    steps: [
      { file: 'src/http/server/listener.ts', does: 'refuses what is not plain HTTP, and counts' },
      {
        file: 'src/http/cache/front.ts',
        does: 'answers cached bytes while nothing changed',
        from: 'src/http/server/services.ts',
      },
      { file: 'src/http/app.ts', does: 'finds the endpoint', from: 'src/http/server/listener.ts' },
      {
        file: 'src/http/routes/hosts/host.ts',
        does: 'address, parameters, representations',
        from: 'src/http/endpoints.ts',
      },
      {
        file: 'src/views/host/open-host.ts',
        does: 'builds the HostView from rows',
        from: 'src/views/open-directory.ts',
      },
      { file: 'src/store/pages/read-host.ts', does: 'one statement for the whole page' },
      {
        file: 'src/render/html/pages/host.tsx',
        does: 'a pure function of the view; Markdown and JSON beside it',
        from: 'src/http/routes/hosts/host.ts',
      },
      {
        file: 'src/http/cache/send-page.ts',
        does: 'bytes made once, kept, and sent',
        from: 'src/http/routes/hosts/host.ts',
      },
    ],
  },
  post: {
    title: 'A post is paid and published',
    steps: [
      { file: 'src/http/routes/writing/paid-post.ts', does: 'reads the request; 402 where there is no credential' },
      {
        file: 'src/acts/posts/threads.ts',
        does: 'one answer for every copy of a request, with its receipt',
        from: 'src/main/payments.ts',
      },
      {
        file: 'src/acts/posts/paid-post-flow.ts',
        does: 'known credential, free checks, intent, settlement, publication',
      },
      { file: 'src/acts/posts/check-post.ts', does: 'what costs nothing: text, signature, time, payer' },
      {
        file: 'src/payment/x402/rail.ts',
        does: 'checks a credential, moves money, looks at the chain',
        from: 'src/main/rails.ts',
      },
      { file: 'src/acts/posts/settle-payment.ts', does: 'settles, and writes down what became of it' },
      { file: 'src/store/posts/publish.ts', does: 'one transaction: settled, transfer used, post visible' },
      { file: 'src/store/posts/save-post.ts', does: 'the post with its counters and announcement' },
    ],
  },
}
