/** An error and its causes, outermost first. */
export function getErrorCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...getErrorCauses(error.cause)] : []
}

/** The code given by a driver or the system; empty without one. */
export const getSystemErrorCode = (error: unknown): string =>
  typeof error === 'object' && error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const REFUSAL_CODES = { twin: '23505', named: '23503', standby: '25006', crowded: '53300', locked: '55P03' }

/**
 * Why the database refuses a statement: a duplicate (`twin`), a row still referenced (`named`), a read-only replica
 * (`standby`), too many connections (`crowded`), or a lock held for too long (`locked`).
 */
export function isDatabaseRefusal(error: unknown, kind: keyof typeof REFUSAL_CODES): boolean {
  return getErrorCauses(error).some((at) => getSystemErrorCode(at) === REFUSAL_CODES[kind])
}

/** No space left: for PostgreSQL (53100), for a file, or within a quota. */
const DISK_FULL_CODES = ['53100', 'ENOSPC', 'EDQUOT']

/** Checks the error and its causes. */
export const isDiskFullError = (error: unknown): boolean =>
  getErrorCauses(error).some((at) => DISK_FULL_CODES.includes(getSystemErrorCode(at)))

/** Corruption: a damaged page or index (XX001, XX002), a missing file (58P01), a disk that cannot be read (58030). */
const CORRUPTION_CODES = ['XX001', 'XX002', '58P01', '58030']

/** Checks the error and its causes. */
export const isCorruptionError = (error: unknown): boolean =>
  getErrorCauses(error).some((at) => CORRUPTION_CODES.includes(getSystemErrorCode(at)))

export const RESTORE_ADVICE =
  'Arrêtez le service, gardez le dossier tel qu’il est, puis restaurez la dernière copie dans une base vide («\u00a0voisol restore latest\u00a0»)\u00a0; ' +
  'vérifiez le disque et la mémoire de la machine avant de reprendre.'
export const DATABASE_CORRUPTED = 'La base de données est abîmée'

/** Shown when a change is refused by a database in recovery or in read-only mode. */
export const READ_ONLY_MESSAGE =
  'Voisol est momentanément en lecture seule\u00a0: votre modification n’a pas été enregistrée. Réessayez dans quelques instants.'

/** A replica before failover, or a database that an administrator set to read-only. */
export const isReadOnlyError = (error: unknown): boolean => isDatabaseRefusal(error, 'standby')

/**
 * For a write that only accompanies a read, such as the last use of a session: a read-only database must not make the
 * read fail.
 */
export async function skipWhenReadOnly<T>(write: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (isReadOnlyError(error)) return undefined
    throw error
  }
}

const DEADLOCK_CODE = '40P01'
const MAX_ATTEMPTS = 6

export const isDeadlock = (error: unknown) =>
  getErrorCauses(error).some((one) => getSystemErrorCode(one) === DEADLOCK_CODE)

/**
 * Retries a transaction that was the victim of a deadlock. `work` opens its own transaction: on several machines a
 * victim cannot go back to a savepoint.
 */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries === MAX_ATTEMPTS) throw error
    }
}
