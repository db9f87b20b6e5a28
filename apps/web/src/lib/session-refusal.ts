import { ApiError, onRefusal } from './call.ts'
import { endSession, refreshUser } from './session.ts'

const SESSION_ENDED_CODES = ['unauthenticated', 'session-expired']

/** A wrong password is a 401 too: only these two say that the session itself is over. */
export const isSessionRefusal = (error: unknown) =>
  error instanceof ApiError &&
  error.status === 401 &&
  (SESSION_ENDED_CODES.includes(error.code) || error.code === 'unknown')

/** Something must be done first: who is signed in is read again, and says what. */
const isAccountRequirement = ({ code }: ApiError) => code === 'password-due' || code === 'second-factor-due'

export const buildLoginPath = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>) =>
  `/login?redirect=${encodeURIComponent(pathname + search)}`

/** Ends the local session as soon as any call is refused for want of one. */
export const handleSessionRefusals = () =>
  onRefusal((error) => {
    if (isSessionRefusal(error)) endSession(buildLoginPath(location))
    else if (isAccountRequirement(error)) void refreshUser().catch(console.warn)
  })
