interface SignedLinesProps {
  /** How they are joined, and what signed them. */
  readonly note: string
  /** What the wallet signed. */
  readonly message: string
  /** What belongs to it, line by line. */
  readonly lines: readonly string[]
  /** Checks all of it offline. */
  readonly command: string
}

/** What a wallet signed, with everything that verifies it. */
export const SignedLines = ({ note, message, lines, command }: SignedLinesProps) => (
  <section>
    <h2>Verify it yourself</h2>
    <p class="small soft">{note}</p>
    <pre>
      <code>{message}</code>
    </pre>
    <ul class="lines">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    <pre>
      <code>{command}</code>
    </pre>
  </section>
)

/** Of a review or a statement. */
export const JOINED_LINES =
  'These lines, joined by one line feed each, were signed by the wallet (EIP-191, or ed25519 for a Solana wallet). The fifth is the SHA-256 of the text.'
