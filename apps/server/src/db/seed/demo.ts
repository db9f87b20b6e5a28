import { count } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { hashPassword } from '../../features/auth/passwords.ts'
import { transaction } from '../client.ts'
import { companies, memberships, users } from '../schema/index.ts'

export const DEMO_PASSWORD = 'soleil-partage-demo'
const PEOPLE = [
  { email: 'admin@demo.voisol.fr', firstName: 'Claire', lastName: 'Martin', phone: '01 84 60 12 34', isAdmin: true },
  { email: 'client@demo.voisol.fr', firstName: 'Hugo', lastName: 'Bernard', phone: '06 12 34 56 78', isAdmin: false },
]

/** Fills an empty database with the demo company; a database that holds anything is left alone. */
export const seedDemo = ({ db }: Deps) =>
  transaction(db, async (tx) => {
    const [existing] = await tx.select({ n: count() }).from(companies)
    if (existing?.n) return
    const [company] = await tx
      .insert(companies)
      .values({
        name: 'Les Toits Partagés',
        legalName: 'Association Les Toits Partagés',
        address: '12 rue des Tilleuls, 69007 Lyon',
        email: 'contact@demo.voisol.fr',
        phone: '04 72 00 12 34',
        isDemo: true,
      })
      .returning()
    if (!company) throw new Error('the demo company was not created')
    const passwordHash = await hashPassword(DEMO_PASSWORD)
    for (const { isAdmin, ...person } of PEOPLE) {
      const [user] = await tx
        .insert(users)
        .values({ ...person, passwordHash })
        .returning()
      if (user)
        await tx.insert(memberships).values({ companyId: company.id, userId: user.id, isAdmin, acceptedAt: new Date() })
    }
  })

export function announce(config: Config, address: string) {
  console.log(`\n  Voisol est prêt : ${address}\n`)
  if (!config.demo) return
  console.log('  Comptes de démonstration')
  for (const { email, isAdmin } of PEOPLE)
    console.log(`    ${isAdmin ? 'administrateur' : 'client        '}  ${email}  ${DEMO_PASSWORD}`)
  console.log('\n  Ctrl-C pour arrêter.\n')
}
