import { getErrorCauses, getSystemErrorCode } from './causes.ts'

/** Nothing is wrong with what was asked: the database cannot be reached, refuses everybody, or takes no writes for now. */
const UNAVAILABLE_CODES = new RegExp(
  `^(?:${[
    // The way to it: nobody there, cut, no route, no name.
    'ECONN\\w+|EPIPE|ETIMEDOUT|EHOST\\w+|ENET\\w+|ENOTFOUND|EAI_AGAIN',
    // It starts, stops, or lost its place among several; PgBouncer says 08P01 for a line that is too long.
    '57P0\\d|08\\w{3}',
    '53300', // too many connections
    '25006', // a standby, after the other took over
  ].join('|')})$`,
)
/** The last is what Citus says, as a fault of its own, of a machine that held what is copied everywhere. */
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|connection terminated|connection ended|query read timeout|timeout expired|client has encountered a connection error|failure on connection marked as essential/i

/** A socket file that is not there; a missing file of ours is another matter. */
const isMissingSocket = (error: Error) => 'syscall' in error && error.syscall === 'connect'

function isUnavailableError(error: Error): boolean {
  const code = getSystemErrorCode(error)
  return (
    UNAVAILABLE_CODES.test(code) ||
    UNAVAILABLE_MESSAGES.test(error.message) ||
    (code === 'ENOENT' && isMissingSocket(error))
  )
}

/** What an error says, or what it came from. */
export const isDatabaseUnavailable = (error: unknown): boolean => getErrorCauses(error).some(isUnavailableError)

/** What may be missed while a machine is away. Asked aside: a transaction does not outlive what failed in it. */
export const catchUnavailable = <T, U>(pendingQuery: PromiseLike<T>, fallback: U): Promise<T | U> =>
  Promise.resolve(pendingQuery).catch((error) => {
    if (isDatabaseUnavailable(error)) return fallback
    throw error
  })

/** What is said at once, without asking, while it is known that nobody would answer. */
export const createUnavailableError = () => Object.assign(new Error('the database does not answer'), { code: '08001' })
