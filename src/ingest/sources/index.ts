// Every kind of source, one line each. Nothing else is exported from here.
export { index402 } from './402index.ts'
export { bazaar } from './bazaar.ts'
export { file } from './file.ts'
export { mppDirectory } from './mpp-directory.ts'
export { openapi } from './openapi.ts'
export { wellKnown } from './well-known.ts'
