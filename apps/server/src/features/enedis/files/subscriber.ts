import { formatFrenchDay, NBSP } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import { pointNameOnDaySql, pointNameWithPrmSql } from '../../../core/point-names.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'
import { DEPARTURE_LABELS, describeContractEvent } from './contract-events.ts'

type ConcernedPoint = { name: string; prm: string; label: string; point: string }

export const distributorFileSubscriber = defineSubscriber({
  name: 'distributor-files',
  on: ['departure.announced'],
  async handle(tx, deps, { companyId, at, data: { operationId, pointId, event, on } }) {
    const { rows } = await tx.execute<ConcernedPoint>(sql`
      select o.name, p.prm, coalesce(nullif(${pointNameOnDaySql(companyId, sql`p`)}, ''), p.prm) as label, ${pointNameWithPrmSql(companyId, sql`p`)} as point from points p
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
        title: `${DEPARTURE_LABELS[event]}${NBSP}: ${label}`,
        message: `Le distributeur annonce pour le ${formatFrenchDay(on)} un changement au point ${point}, qui est dans l’opération «${NBSP}${name}${NBSP}». ${describeContractEvent(event)} Vérifiez sa date de sortie.`,
        action: { label: 'Voir l’opération', url: `/acc-operations/${operationId}` },
        key: `contract-event ${operationId} ${prm} ${event} ${on}`,
      })
  },
})
