import { getErrorCauses, getSystemErrorCode } from './database-errors.ts'

/** The request is fine: the database cannot be reached, refuses all connections, or temporarily refuses writes. */
const UNAVAILABLE_CODES = new RegExp(
  `^(?:${[
    // Network errors: connection refused or cut, no route, unknown name.
    'ECONN\\w+|EPIPE|ETIMEDOUT|EHOST\\w+|ENET\\w+|ENOTFOUND|EAI_AGAIN',
    // PostgreSQL is starting, stopping or failing over; PgBouncer sends 08P01 when its queue is too long.
    '57P0\\d|08\\w{3}',
    '53300', // too many connections
    '25006', // a standby, after a failover
  ].join('|')})$`,
)
/** The last is Citus' own error about an unavailable machine that holds a reference table. */
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|connection terminated|connection ended|query read timeout|timeout expired|client has encountered a connection error|failure on connection marked as essential/i

/** A missing socket file; other missing files are not covered. */
const isMissingSocket = (error: Error) => 'syscall' in error && error.syscall === 'connect'

function isUnavailableError(error: Error): boolean {
  const code = getSystemErrorCode(error)
  return (
    UNAVAILABLE_CODES.test(code) ||
    UNAVAILABLE_MESSAGES.test(error.message) ||
    (code === 'ENOENT' && isMissingSocket(error))
  )
}

/** Checks the error and its causes. */
export const isDatabaseUnavailable = (error: unknown): boolean => getErrorCauses(error).some(isUnavailableError)

/** Gives the fallback while a machine is unavailable. Not for use in a transaction, which a failed statement aborts. */
export const catchUnavailable = <T, U>(pendingQuery: PromiseLike<T>, fallback: U): Promise<T | U> =>
  Promise.resolve(pendingQuery).catch((error) => {
    if (isDatabaseUnavailable(error)) return fallback
    throw error
  })

/** Thrown without a query while the database is known to be unavailable. */
export const createUnavailableError = () => Object.assign(new Error('the database does not answer'), { code: '08001' })
