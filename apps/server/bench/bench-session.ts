import type { Db } from '../src/db/client.ts'
import { memberships, sessions, users } from '../src/db/schema/index.ts'
import { generateToken, sha256 } from '../src/secrets.ts'

/** The token of an administrator of the company, made for the measure. */
export async function signedIn(db: Db, companyId: number): Promise<string> {
  const [user] = await db
    .insert(users)
    .values({ email: `mesure${companyId}@exemple.fr`, firstName: 'Mesure', lastName: 'Mesure', passwordHash: '' })
    .returning()
  if (!user) throw new Error('nobody to measure with')
  await db.insert(memberships).values({ companyId, userId: user.id, role: 'admin', acceptedAt: new Date() })
  const token = generateToken()
  const hashes = { tokenHash: sha256(token), refreshHash: sha256(generateToken()) }
  await db.insert(sessions).values({ companyId, userId: user.id, ...hashes, ip: '127.0.0.1', userAgent: 'mesure' })
  return token
}
