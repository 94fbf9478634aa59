const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Asks an address and nobody it points at: an answer that is a redirect rejects. `redirect: 'error'` would say the same,
 * but with it Node 20 and 22 forget the deadline of an answer that has begun, as soon as they collect garbage.
 */
export async function straight(
  fetch: typeof globalThis.fetch,
  ...[address, init]: Parameters<typeof globalThis.fetch>
): Promise<Response> {
  const answer = await fetch(address, { ...init, redirect: 'manual' })
  // Browsers do not tell the status.
  if (answer.type !== 'opaqueredirect' && !REDIRECTS.includes(answer.status)) return answer
  await answer.body?.cancel()
  throw new TypeError('the answer points elsewhere')
}
