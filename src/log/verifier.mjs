/** The one-file verifier, beside this file in the sources and in the build: the joined program lies elsewhere. */
export const VERIFIER = new URL('./verify.mjs', import.meta.url)
