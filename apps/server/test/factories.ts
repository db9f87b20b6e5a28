import type { Permission } from '@voisol/contract/permissions'
import type { BuiltInRole } from '@voisol/contract/roles'
import { assignSiteOwner } from '../src/core/assign-site-owner.ts'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../src/core/site-owner.ts'
import { type Db, transaction } from '../src/db/client.ts'
import { apiKeys, companies, memberships, roles, sessions, users } from '../src/db/schema/index.ts'
import { hashPassword } from '../src/features/identity/auth/passwords.ts'
import { generateApiKey } from '../src/http/api-key.ts'
import type { FileStore } from '../src/integrations/files/files.ts'
import { generateToken, sha256 } from '../src/secrets.ts'

export const PASSWORD = 'un toit partagé au soleil'
let count = 0
let passwordHashPromise: Promise<string> | undefined

export async function makeCompany(db: Db, name = `Copropriété ${++count}`) {
  const [company] = await db.insert(companies).values({ name }).returning()
  if (!company) throw new Error('no company')
  return company
}

/** `isAdmin` selects the administrator or client role; `permissions` creates a custom role. */
type MakeUserInput = {
  companyId?: number
  isAdmin?: boolean
  role?: BuiltInRole
  permissions?: Permission[]
  operationIds?: string[] | null
  email?: string
}

async function prepareRoleFields(
  db: Db,
  companyId: number,
  { isAdmin = true, role, permissions, operationIds = null }: MakeUserInput,
) {
  if (!permissions) return { role: role ?? (isAdmin ? 'admin' : 'client'), operationIds }
  const [own] = await db
    .insert(roles)
    .values({ companyId, name: `Rôle ${++count}`, permissions })
    .returning()
  return { role: 'custom', roleId: own?.id ?? '', operationIds }
}

/** A person with an open session, so that tests of other things need not sign in. */
export async function makeUser(db: Db, more: MakeUserInput = {}) {
  const companyId = more.companyId ?? (await makeCompany(db)).id
  passwordHashPromise ??= hashPassword(PASSWORD)
  const email = more.email ?? `personne${++count}@exemple.fr`
  const names = { firstName: 'Camille', lastName: `Durand ${count}` }
  const [user] = await db
    .insert(users)
    .values({ email, ...names, passwordHash: await passwordHashPromise, emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('no user')
  await db
    .insert(memberships)
    .values({ companyId, userId: user.id, ...(await prepareRoleFields(db, companyId, more)), acceptedAt: new Date() })
  return { ...user, companyId, token: await makeSession(db, user.id, companyId) }
}

/** There are no images to move before the site has an owner. */
const UNUSED_FILE_STORE = {} as FileStore // none of it is called

/** Returns the company that owns the site, creating it with the existing site content if needed. */
export async function ensureSiteOwner(db: Db): Promise<number> {
  const known = await loadSiteOwnerId(db)
  if (known !== NO_SITE_OWNER) return known
  const { id } = await makeCompany(db, 'Voisol')
  await transaction(db, (tx) => assignSiteOwner(tx, UNUSED_FILE_STORE, id))
  return id
}

/** An administrator of the company that owns the site. */
export async function makeSiteAdmin(db: Db) {
  return makeUser(db, { companyId: await ensureSiteOwner(db) })
}

export async function makeSession(db: Db, userId: string, companyId: number) {
  const token = generateToken()
  await db.insert(sessions).values({
    userId,
    companyId,
    tokenHash: sha256(token),
    refreshHash: sha256(generateToken()),
    ip: '127.0.0.1',
    userAgent: 'Firefox/1 Windows',
  })
  return token
}

/** An API key of its creator's company; it may be given more permissions than the creator has. */
export async function makeApiKey(
  db: Db,
  maker: { id: string; companyId: number },
  more: { permissions: Permission[]; operationIds?: string[]; expiresOn?: string; allowedNetworks?: string[] },
) {
  const { key, prefix } = generateApiKey(maker.companyId)
  const about = { companyId: maker.companyId, makerId: maker.id, name: 'Comptabilité', prefix, keyHash: sha256(key) }
  // Used just now, since the first call of each minute writes the time of use.
  await db.insert(apiKeys).values({ ...about, lastUsedAt: new Date(), ...more })
  return key
}

/** An id that does not exist. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
