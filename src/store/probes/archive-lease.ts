import { isEndedProgram, programName } from '../program-name.ts'
import type { Store } from '../store.ts'

const LEASE_US = 60_000_000
const RENEW_MS = 15_000

const NAME = 'archive'

/** Another program archives. */
export class NotHeld extends Error {}

/**
 * Archiving is done by one program at a time. Rejects with `NotHeld` where another one is at it; one that was killed is
 * out of the way at once on the same machine, and elsewhere after a minute, or two where its clock was ahead. `stillHeld`
 * rejects likewise when this one stood still for so long that another began.
 */
export async function archivingAlone<T>(
  store: Store,
  work: (stillHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const by = programName()
  const hold = (): Promise<void> => takeLease(store, by)
  await hold()
  // What could not be renewed is found out by whoever asks whether it is still held.
  let renewal = Promise.resolve()
  const renew = (): void => {
    renewal = hold().catch(() => undefined)
  }
  const renewing = setInterval(renew, RENEW_MS).unref()
  try {
    return await work(hold)
  } finally {
    clearInterval(renewing)
    await renewal
    await store.write((writer) =>
      writer.deleteFrom('leases').where('name', '=', NAME).where('held_by', '=', by).execute(),
    )
  }
}

async function takeLease(store: Store, by: string): Promise<void> {
  const nowUs = Date.now() * 1000
  const lease = { held_by: by, until_us: nowUs + LEASE_US }
  const before = await store.read.selectFrom('leases').select('held_by').where('name', '=', NAME).executeTakeFirst()
  const mine = before !== undefined && isEndedProgram(before.held_by) ? [by, before.held_by] : [by]
  const taken = await store.write((writer) =>
    writer
      .insertInto('leases')
      .values({ name: NAME, ...lease })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where((eb) =>
            eb.or([
              eb('leases.held_by', 'in', mine),
              eb('leases.until_us', '<=', nowUs),
              eb('leases.until_us', '>', nowUs + 2 * LEASE_US),
            ]),
          ),
      )
      .executeTakeFirst(),
  )
  if (taken.numInsertedOrUpdatedRows === 0n) throw new NotHeld('another program archives')
}
