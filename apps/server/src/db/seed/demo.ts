import { DEMO_PASSWORD, DEMO_PEOPLE, type DemoPerson } from '@voisol/simulator/demo/people'
import { count } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { hashPassword } from '../../features/identity/auth/index.ts'
import { notify } from '../../features/identity/notifications/index.ts'
import { generateToken, sha256 } from '../../secrets.ts'
import { RELEASE } from '../../version.ts'
import { type Db, transaction } from '../client.ts'
import { companies, memberships, users } from '../schema/index.ts'

const DEMO_COMPANY = {
  name: 'Les Toits Partagés',
  legalName: 'Association Les Toits Partagés',
  address: '12 rue des Tilleuls, 69007 Lyon',
  email: 'contact@demo.voisol.fr',
  phone: '04 72 00 12 34',
  isDemo: true,
}
/** A second one, so that an administrator of several organisations can be shown. */
const SECOND_DEMO_COMPANY = {
  name: 'Atelier du Rhône',
  legalName: 'Atelier du Rhône SAS',
  address: '3 quai du Port, 69007 Lyon',
  isDemo: true,
}
const WEEK_MS = 7 * 24 * 3600 * 1000

async function addDemoCompany(tx: Db, values: typeof companies.$inferInsert) {
  const [company] = await tx.insert(companies).values(values).returning()
  if (!company) throw new Error('the demo company was not created')
  return company.id
}

async function addDemoPerson(tx: Db, companyId: number, person: DemoPerson, passwordHash: string) {
  const { email, firstName, lastName, phone, role, invited } = person
  const known = invited ? { passwordHash: null } : { passwordHash, emailVerifiedAt: new Date() }
  const account = { email, firstName, lastName, phone, ...known }
  const [user] = await tx.insert(users).values(account).returning()
  if (!user) throw new Error(`${email} was not created`)
  const state = invited
    ? {
        invitationHash: sha256(generateToken()),
        invitationExpiresAt: new Date(Date.now() + WEEK_MS),
        invitedFirstName: firstName,
        invitedLastName: lastName,
      }
    : { acceptedAt: new Date() }
  await tx.insert(memberships).values({ companyId, userId: user.id, role, ...state })
  return user.id
}

/** Fills an empty database with the demo company; a database that holds anything is left alone. `later` commits with it. */
export const seedDemo = (deps: Deps, later?: (tx: Db) => Promise<unknown>) =>
  transaction(deps.db, async (tx) => {
    const [existing] = await tx.select({ n: count() }).from(companies)
    if (existing?.n) return
    const companyId = await addDemoCompany(tx, { ...DEMO_COMPANY, keepsSite: true })
    const passwordHash = await hashPassword(DEMO_PASSWORD)
    const ids: string[] = []
    for (const person of DEMO_PEOPLE) ids.push(await addDemoPerson(tx, companyId, person, passwordHash))
    const [admin = '', client = ''] = ids
    await tx.insert(memberships).values({
      companyId: await addDemoCompany(tx, SECOND_DEMO_COMPANY),
      userId: admin,
      role: 'admin',
      acceptedAt: new Date(),
    })
    const notification = { companyId, category: 'account', type: 'info', priority: 'normal' } as const
    await notify(tx, deps, {
      ...notification,
      to: [admin],
      key: 'welcome',
      title: 'Bienvenue dans la démonstration',
      message: 'Cette organisation et ses membres sont fictifs. Tout ce que vous y changez reste sur cette machine.',
      action: { label: 'Voir les utilisateurs', url: '/users' },
    })
    await notify(tx, deps, {
      ...notification,
      to: [admin],
      key: 'second-factor-advice',
      category: 'security',
      type: 'warning',
      title: 'Protégez votre compte',
      message:
        'La double authentification n’est pas activée\u00a0: un mot de passe volé suffirait à ouvrir votre compte.',
      action: { label: 'Ouvrir mon profil', url: '/settings/profile' },
    })
    await notify(tx, deps, {
      ...notification,
      to: [client],
      key: 'welcome',
      title: 'Bienvenue dans votre espace',
      message: 'Vous y trouverez vos messages et les réglages de votre compte.',
      action: { label: 'Ouvrir mon profil', url: '/client-portal/profile' },
    })
    await later?.(tx)
  })

export function printStartMessage(config: Config, address: string, warning?: string) {
  console.log(`\n  Voisol ${RELEASE}`)
  console.log(`  Voisol est prêt\u00a0: ${address}\n`)
  if (warning) console.log(`  Attention\u00a0: ${warning}\n`)
  if (!config.demo) return
  console.log('  Comptes de démonstration')
  for (const { email, role } of DEMO_PEOPLE.slice(0, 2))
    console.log(`    ${role === 'admin' ? 'administrateur' : 'client        '}  ${email}  ${DEMO_PASSWORD}`)
  console.log('\n  Ctrl-C pour arrêter.\n')
}
