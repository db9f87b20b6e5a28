import { eq } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { flowRules, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { addFlowRule } from '../flows/flows.ts'

/** Two routing rules: large invoices go to another system, incidents to the administrator. */
export async function fillFlowRules(deps: Deps, actor: Actor): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const [known] = await tx.select().from(flowRules).where(eq(flowRules.companyId, companyId)).limit(1)
    const [hook] = await tx.select().from(webhooks).where(eq(webhooks.companyId, companyId)).limit(1)
    if (known || !hook) return
    await addFlowRule(tx, actor, {
      name: 'Factures de plus de 500 €',
      event: 'invoice.issued',
      conditions: [{ field: 'gross', is: 'greater', values: ['50000'] }],
      fields: [
        { from: 'number', to: 'numero' },
        { from: 'gross', to: 'centimes' },
      ],
      destination: { kind: 'webhook', id: hook.id },
      active: true,
    })
    await addFlowRule(tx, actor, {
      name: 'Prévenir d’un incident',
      event: 'incident.opened',
      conditions: [],
      fields: [],
      destination: { kind: 'notification', id: actor.userId },
      active: true,
    })
  })
}
