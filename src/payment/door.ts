/**
 * The one way to facilitators and nodes. Their addresses and headers hold keys of the operator, which are meant for
 * these addresses alone: an answer that points elsewhere is a failure, and nobody it names is ever called.
 */
export const throughDoor: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })
