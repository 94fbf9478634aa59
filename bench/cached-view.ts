import type { BenchContext, BenchRow } from './row.ts'
export async function rows(_: BenchContext): Promise<BenchRow[]> {
  return []
}
