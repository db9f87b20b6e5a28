import type { ProfileUpdate } from '@voisol/contract/profile'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { lockUserAccount } from '../auth/index.ts'

export async function updateUserProfile(tx: Db, actor: Actor, input: z.output<typeof ProfileUpdate>) {
  const { version, ...after } = input
  const user = await lockUserAccount(tx, actor.userId)
  requireCurrentVersion(user, input)
  await tx
    .update(users)
    .set({ ...after, version: version + 1 })
    .where(eq(users.id, user.id))
  const { firstName, lastName, phone } = user
  return { before: { firstName, lastName, phone }, after }
}
