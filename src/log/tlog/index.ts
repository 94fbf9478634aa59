/**
 * Tiled transparency logs: RFC 6962 trees in the tiles, notes, checkpoints, cosignatures and proofs of C2SP. Depends on
 * nothing, runs in Node and in browsers, knows nothing of what is logged. Sizes and indices are JavaScript numbers, hashes
 * are `Uint8Array`s of 32 bytes, texts are strings. What cannot be read throws `MalformedError`, what is well formed and
 * not to be believed `UntrustedError`; `verifyInclusion` and `verifyConsistency` answer true or false.
 *
 * - a log: `newSigner`, `hashLeaf`, `appendLeaves` (from the tiles stored, gives the tiles to store), `encodeBundle`,
 *   `formatCheckpoint`, `signNote`, `tilePath`, `inclusionProof`, `formatProof`
 * - its readers: `newVerifier`, `openCheckpoint`, `parseTilePath`, `tilesOf`, `bundlesOf`, `decodeBundle`, `treeHash`,
 *   `parseProof`, `verifyInclusion`, `verifyConsistency`
 * - witnesses: `newCosigner`, `newCosignatureVerifier`, `consistencyProof`, `formatAddCheckpoint`, `parseAddCheckpoint`
 */
export {
  type AddCheckpoint,
  formatAddCheckpoint,
  formatSize,
  parseAddCheckpoint,
  parseSize,
  SIZE_TYPE,
} from './add-checkpoint.ts'
export { decodeBundle, encodeBundle, LONGEST_ENTRY } from './bundle.ts'
export { concat, equal, fromBase64, textOf, toBase64, toHex, utf8 } from './bytes.ts'
export {
  type Checkpoint,
  formatCheckpoint,
  type OpenedCheckpoint,
  openCheckpoint,
  parseCheckpoint,
} from './checkpoint.ts'
export { type Cosigner, cosignedAtS, newCosignatureVerifier, newCosigner } from './cosignature.ts'
export { MalformedError, UntrustedError } from './errors.ts'
export { EMPTY_ROOT, HASH, hashChildren, hashLeaf, rootOfRow } from './hash.ts'
export {
  formatNote,
  LONGEST_NOTE,
  type Note,
  type NoteSignature,
  openNote,
  parseNote,
  parseSignatureLines,
  signatureLine,
  signNote,
} from './note.ts'
export {
  COSIGNATURE_TYPE,
  formatVkey,
  NOTE_TYPE,
  type NoteKey,
  type NoteSigner,
  type NoteVerifier,
  newSigner,
  newVerifier,
  parseVkey,
  type VerifierKey,
} from './note-key.ts'
export { consistencyProof, inclusionProof, verifyConsistency, verifyInclusion } from './proof.ts'
export { formatProof, type LoggedProof, parseProof } from './proof-text.ts'
export { sha256 } from './sha256.ts'
export {
  bundlesOf,
  parseTilePath,
  TILE_WIDTH,
  type TileAddress,
  type TileLevel,
  tilePath,
  tilesOf,
  widthAt,
} from './tile.ts'
export { appendLeaves, type Growth, overlaid, type ReadTile, type Tile, treeHash } from './tree.ts'
