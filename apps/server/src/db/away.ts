import { causesOf, codeOf } from './causes.ts'

/** Nothing is wrong with what was asked: the database cannot be reached, refuses everybody, or takes no writes for now. */
const CODES = new RegExp(
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
const MESSAGES =
  /timeout exceeded when trying to connect|connection terminated|connection ended|query read timeout|timeout expired|client has encountered a connection error|failure on connection marked as essential/i

/** A socket file that is not there; a missing file of ours is another matter. */
const noSocket = (error: Error) => 'syscall' in error && error.syscall === 'connect'

function saysAway(error: Error): boolean {
  const code = codeOf(error)
  return CODES.test(code) || MESSAGES.test(error.message) || (code === 'ENOENT' && noSocket(error))
}

/** What an error says, or what it came from. */
export const isAway = (error: unknown): boolean => causesOf(error).some(saysAway)

/** What may be missed while a machine is away. Asked aside: a transaction does not outlive what failed in it. */
export const unlessAway = <T, U>(asked: PromiseLike<T>, instead: U): Promise<T | U> =>
  Promise.resolve(asked).catch((error) => {
    if (isAway(error)) return instead
    throw error
  })

/** What is said at once, without asking, while it is known that nobody would answer. */
export const awayError = () => Object.assign(new Error('the database does not answer'), { code: '08001' })
