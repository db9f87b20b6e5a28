import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import {
  emailVerifications,
  notificationPreferences,
  passwordResets,
  sessions,
  signIns,
  users,
} from '../../../db/schema/index.ts'
import { removeSecondFactor } from './second-factor-setup.ts'

/** An address that nobody can have, so that the person may come back under theirs. */
const buildClosedAccountEmail = (userId: string) => `compte-ferme-${userId}@voisol.invalid`

/** An account that no organisation opens any more keeps nothing of its person; what names it by its id still finds a row. */
export async function anonymizeAccount(tx: Db, userId: string): Promise<void> {
  await removeSecondFactor(tx, userId)
  for (const table of [sessions, signIns, passwordResets, emailVerifications, notificationPreferences])
    await tx.delete(table).where(eq(table.userId, userId))
  await tx
    .update(users)
    .set({
      email: buildClosedAccountEmail(userId),
      firstName: 'Compte',
      lastName: 'fermé',
      phone: '',
      passwordHash: null,
      passwordLong: null,
      emailVerifiedAt: null,
      lastSignInAt: null,
    })
    .where(eq(users.id, userId))
}
