import { useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { reconciliation } from '@voisol/contract/reconciliation'
import { withAccess } from '../../../lib/can.tsx'
import { VERDICT_LABELS } from '../../../lib/distributor-labels.ts'
import { query } from '../../../lib/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { formatMonthYear } from '../../../ui/period/label.ts'

/** Whether our figures and the distributor's agree, for the last month it gave any. */
export const ReconciliationCard = withAccess(reconciliation.months, ({ operation }: { operation: Operation }) => {
  const { data } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (!data?.reconciliation) return null
  const { month, verdict } = data.reconciliation
  return (
    <Card title="Rapprochement avec Enedis" description={`Pour ${formatMonthYear(month)}.`}>
      <Badge tone={VERDICT_LABELS[verdict].tone}>{VERDICT_LABELS[verdict].label}</Badge>
      <div className="mt-4">
        <ButtonLink variant="secondary" size="small" to="?onglet=distributeur">
          Voir le rapprochement
        </ButtonLink>
      </div>
    </Card>
  )
})
