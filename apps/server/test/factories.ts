import { sql } from 'drizzle-orm'
import { SITE_COMPANY } from '../src/core/site-company.ts'
import type { Db } from '../src/db/client.ts'
import { companies, memberships, sessions, users } from '../src/db/schema/index.ts'
import { hashPassword } from '../src/features/people/auth/passwords.ts'
import { newToken, sha256 } from '../src/secrets.ts'

export const PASSWORD = 'un toit partagé au soleil'
let count = 0
let hashed: Promise<string> | undefined

export async function makeCompany(db: Db, name = `Copropriété ${++count}`) {
  const [company] = await db.insert(companies).values({ name }).returning()
  if (!company) throw new Error('no company')
  return company
}

/** A person with a session already open: tests of other things need not sign in. */
export async function makeUser(db: Db, more: { companyId?: number; isAdmin?: boolean; email?: string } = {}) {
  const companyId = more.companyId ?? (await makeCompany(db)).id
  hashed ??= hashPassword(PASSWORD)
  const email = more.email ?? `personne${++count}@exemple.fr`
  const [user] = await db
    .insert(users)
    .values({ email, firstName: 'Camille', lastName: `Durand ${count}`, passwordHash: await hashed })
    .returning()
  if (!user) throw new Error('no user')
  await db
    .insert(memberships)
    .values({ companyId, userId: user.id, isAdmin: more.isAdmin ?? true, acceptedAt: new Date() })
  return { ...user, companyId, token: await makeSession(db, user.id, companyId) }
}

/** An administrator of the company that keeps the site. */
export async function makeSiteAdmin(db: Db) {
  await db.insert(companies).values({ id: SITE_COMPANY, name: 'Voisol' }).onConflictDoNothing()
  // The number was given by hand: those to come begin after it.
  await db.execute(sql`select nextval('companies_id_seq')
    from generate_series((select last_value from companies_id_seq), (select max(id) from companies))`)
  return makeUser(db, { companyId: SITE_COMPANY })
}

export async function makeSession(db: Db, userId: string, companyId: number) {
  const token = newToken()
  await db.insert(sessions).values({
    userId,
    companyId,
    tokenHash: sha256(token),
    refreshHash: sha256(newToken()),
    ip: '127.0.0.1',
    userAgent: 'Firefox/1 Windows',
  })
  return token
}
