import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from './call.ts'
import { endSession } from './session.ts'

const ENDED = ['unauthenticated', 'session-expired']

/** A wrong password is a 401 too: only these two say that the session itself is over. */
export const isSessionRefusal = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && (ENDED.includes(error.code) || error.code === 'unknown')

export const loginWith = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>) =>
  `/login?redirect=${encodeURIComponent(pathname + search)}`

/** Ends the local session as soon as any read or action is refused for want of one. */
export function watchRefusals(client: QueryClient): () => void {
  const look = (error: unknown) => {
    if (isSessionRefusal(error)) endSession(loginWith(location))
  }
  const stops = [
    client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') look(event.action.error)
    }),
    client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') look(event.action.error)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
