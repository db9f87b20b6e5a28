import { isDatabaseRefusal } from './refusal.ts'

/** What somebody reads whose change a database in recovery, or set to read only, has just refused. */
export const READ_ONLY_MESSAGE =
  'Voisol est momentanément en lecture seule\u00a0: votre modification n’a pas été enregistrée. Réessayez dans quelques instants.'

/** A replica that has not taken over, or a database that an administrator has set to read only. */
export const isReadOnlyError = (error: unknown): boolean => isDatabaseRefusal(error, 'standby')

/**
 * For a write that only accompanies a read, such as when a session was last used: a database that takes no writes for now
 * must not refuse the read because of it.
 */
export async function skipWhenReadOnly<T>(write: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (isReadOnlyError(error)) return undefined
    throw error
  }
}
