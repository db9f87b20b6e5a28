import { billing, type MonthCheck } from '@voisol/contract/billing'
import { useId, useState } from 'react'
import { formatBillingMonth } from '../../lib/billing-labels.ts'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import type { OperationMonth } from './preview.tsx'

const MIN_REASON_LENGTH = 10

type CloseMonthProps = { params: OperationMonth; check: MonthCheck; acceptLastIndex: boolean }

/** Freezes the month: its quantities, its prices and its documents do not change any more. */
export function CloseMonth({ params, check, acceptLastIndex }: CloseMonthProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  const close = useAction(billing.close, [billing.months, billing.check, billing.preview])
  const { canClose, needsReason, totals } = check
  const short = needsReason && reason.trim().length < MIN_REASON_LENGTH
  const run = async () => {
    const why = reason.trim()
    await close.run({ params, body: { acceptLastIndex, ...(why.length >= MIN_REASON_LENGTH && { reason: why }) } })
    toast({ title: `${formatBillingMonth(params.month)}\u00a0: mois clos`, variant: 'success' })
  }
  return (
    <Card
      title="Clôturer"
      description={
        canClose
          ? 'La clôture fige les quantités et les prix du mois sous une empreinte. Elle ne s’annule pas.'
          : 'Réglez d’abord ce que dit la liste de contrôle.'
      }
    >
      {needsReason && canClose && (
        <div className="mb-4 max-w-2xl">
          <FieldFrame
            id={id}
            label="Raison de clôturer malgré ces réserves"
            hint="Elle est gardée avec le mois et dans le journal."
          >
            <Textarea
              id={id}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              placeholder={'Par exemple\u00a0: quantités d’Enedis attendues le 15, régularisation ensuite.'}
            />
          </FieldFrame>
        </div>
      )}
      <Confirm
        title={`Clôturer ${formatBillingMonth(params.month)}\u00a0?`}
        description={`${formatCount(totals?.documents ?? 0, 'document')}, ${formatMoney(totals?.gross ?? 0)} TTC. Un mois clos ne se rouvre pas\u00a0: une erreur trouvée ensuite se règle par une régularisation.`}
        action="Clôturer le mois"
        tone="primary"
        onConfirm={run}
        trigger={<Button disabled={!canClose || short}>Clôturer le mois</Button>}
      />
    </Card>
  )
}
