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

/** An address that cannot exist, so that the person can register again with their own. */
const buildClosedAccountEmail = (userId: string) => `compte-ferme-${userId}@voisol.invalid`

/** Removes all personal data of an account without any company; its row stays, because other rows refer to its id. */
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
