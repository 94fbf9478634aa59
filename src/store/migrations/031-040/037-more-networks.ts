import type { Writer } from '../../schema.ts'
import { networks } from '../001-010/009-networks.ts'

/** More networks are known, and Algorand by the id that CAIP-2 gives it: rows are compared, and their hosts found, by these from now on. */
export const moreNetworks = (writer: Writer): Promise<void> => networks(writer)
