/** What is refused, and what the caller can do about it. The one error type that reaches users; `http/problems` turns it into RFC 9457. */
export class Problem extends Error {
  constructor(
    /** Last segment of the problem's own address under `/problems/`. */
    readonly slug: string,
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly hint: string,
    /** Further members of the problem document, e.g. `near_matches`. */
    readonly more: Readonly<Record<string, unknown>> = {},
    /** Further response headers, e.g. `Allow` or `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
    this.name = 'Problem'
  }

  /** The same, with further members and perhaps another hint. */
  saying(more: Problem['more'], hint = this.hint): Problem {
    return new Problem(this.slug, this.status, this.title, this.detail, hint, { ...this.more, ...more }, this.headers)
  }
}
