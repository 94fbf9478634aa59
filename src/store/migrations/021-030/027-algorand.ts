import type { Writer } from '../../schema.ts'
import { networks } from '../001-010/009-networks.ts'

/** Algorand is known by its names and ids: its rows are compared, and its hosts found, by the one id from now on. */
export const algorand = (writer: Writer): Promise<void> => networks(writer)
