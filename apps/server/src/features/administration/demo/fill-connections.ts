import { scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { countConnections, createConnection, seedWeather } from '../connections/connections.ts'

/** Creates a BI feed that nobody reads yet, and the connection to the weather simulator. */
export async function fillConnections(deps: Deps, actor: Actor): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if ((await countConnections(tx, companyId)) > 0) return
    const settings = { dataSets: 'operations,energies,invoices' }
    const name = 'Tableau de bord de la mairie'
    await createConnection(tx, deps, actor, {
      kind: 'feed',
      name,
      settings,
      schedule: 'none',
      shipments: [],
      anyway: false,
    })
    await seedWeather(tx, deps.secrets, actor)
  })
}
