import { answering } from '../rigs/child.ts'
import { type Load, type Loaded, load } from '../rigs/load/load.ts'

// A process of its own, so that the load takes nothing from the server's core.
answering<Load, Loaded>(load)
