const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** Postgres' hash of a bigint, by which Citus finds the shard of a row: Bob Jenkins' mix of its two halves. */
export function hashOf(id: number): number {
  const high = Math.floor(id / 2 ** 32)
  const key = (id | 0) ^ (id < 0 ? ~high : high)
  const start = (0x9e3779b9 + 4 + 3923095) | 0
  let [a, b, c] = [(start + key) | 0, start, start]
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  return ((c ^ b) - rotated(b, 24)) | 0
}

/** Which shard a host lies in, of shards that begin at these hashes. */
export function shardAt(lowerEnds: readonly number[], hostId: number): number {
  const hash = hashOf(hostId)
  const next = lowerEnds.findIndex((lowest) => lowest > hash)
  return next === -1 ? lowerEnds.length - 1 : next - 1
}
