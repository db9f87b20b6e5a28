import { sql } from 'drizzle-orm'
import { pointNamed, pointSeat } from '../../../core/point-label.ts'
import { subscriber } from '../../../core/subscriber.ts'
import { frenchDay, NBSP } from '../../../french.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { DEPARTURES, meaningOf } from './events.ts'

type Concerned = { name: string; prm: string; label: string; point: string }

export const distributorFileSubscriber = subscriber({
  name: 'distributor-files',
  on: ['departure.announced'],
  async handle(tx, deps, { companyId, at, data: { operationId, pointId, event, on } }) {
    const { rows } = await tx.execute<Concerned>(sql`
      select o.name, p.prm, coalesce(nullif(${pointSeat(companyId, sql`p`)}, ''), p.prm) as label, ${pointNamed(companyId, sql`p`)} as point from points p
        join operations o on o.company_id = p.company_id and o.id = ${operationId}
       where p.company_id = ${companyId} and p.id = ${pointId}`)
    for (const { name, prm, label, point } of rows)
      await notify(tx, deps, {
        companyId,
        at,
        to: { permission: 'participants.read', operationId },
        category: 'operations',
        type: 'warning',
        priority: 'high',
        title: `${DEPARTURES[event]}${NBSP}: ${label}`,
        message: `Le distributeur annonce pour le ${frenchDay(on)} un changement au point ${point}, qui est dans l’opération «${NBSP}${name}${NBSP}». ${meaningOf(event)} Vérifiez sa date de sortie.`,
        action: { label: 'Voir l’opération', url: `/acc-operations/${operationId}` },
        key: `contract-event ${operationId} ${prm} ${event} ${on}`,
      })
  },
})
