import type { IncomingMessage } from 'node:http'

/** Whether the client has left: what fails for that is no fault of ours. */
export const isGone = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => socket.destroyed
