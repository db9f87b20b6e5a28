import { eq } from 'drizzle-orm'
import { companies, users } from '../../../db/schema/index.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../notifications/index.ts'

export const authSubscriber = defineSubscriber({
  name: 'auth',
  on: ['invitation.accepted'],
  async handle(tx, deps, { companyId, id, at, data: { userId } }) {
    const [row] = await tx
      .select({ firstName: users.firstName, lastName: users.lastName, company: companies.name })
      .from(users)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(eq(users.id, userId))
    if (!row) return
    await notify(tx, deps, {
      companyId,
      at,
      to: { permission: 'users.read' },
      category: 'account',
      type: 'success',
      priority: 'low',
      title: 'Invitation acceptée',
      message: `${row.firstName} ${row.lastName} a rejoint ${row.company}.`,
      action: { label: 'Voir les utilisateurs', url: '/users' },
      key: `invitation ${userId} ${id}`,
    })
  },
})
