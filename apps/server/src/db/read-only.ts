import { isDatabaseRefusal } from './refusal.ts'

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
