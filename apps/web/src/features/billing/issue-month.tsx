import { billing, type MonthCheck } from '@voisol/contract/billing'
import { formatBillingMonth } from '../../lib/billing-labels.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import type { OperationMonth } from './preview.tsx'

/** Gives every document its number. A second click issues nothing. */
export function IssueMonth({ params, check }: { params: OperationMonth; check: MonthCheck }) {
  const issue = useAction(billing.issue, [billing.months, billing.check])
  const count = check.totals?.documents ?? 0
  const run = async () => {
    const { issued } = await issue.run({ params })
    toast({
      title: `${formatCount(issued, 'document émis', 'documents émis')}`,
      variant: 'success',
      link: { to: '/invoices', label: 'Voir les factures' },
    })
  }
  return (
    <Card
      title="Émettre"
      description={
        'Chaque document reçoit son numéro et sa date du jour. Une facture émise ne change plus\u00a0: une correction est un avoir ou une facture complémentaire.'
      }
    >
      <Confirm
        title={`Émettre les documents de ${formatBillingMonth(params.month)}\u00a0?`}
        description={`${formatCount(count, 'document reçoit', 'documents reçoivent')} un numéro, pour de bon.`}
        action="Émettre les documents"
        tone="primary"
        onConfirm={run}
        trigger={<Button>Émettre {formatCount(count, 'document')}</Button>}
      />
    </Card>
  )
}
