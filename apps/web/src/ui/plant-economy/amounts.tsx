import {
  AMOUNT_FREQUENCY_LABELS,
  AMOUNT_KIND_LABELS,
  type PlantAmount,
  type PlantEconomy,
  plants,
} from '@voisol/contract/plants'
import Trash from 'lucide-react/icons/trash-2'
import { Suspense, useState } from 'react'
import { Can, withAccess } from '../../lib/can.tsx'
import { formatMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../button.tsx'
import { Confirm } from '../confirm.tsx'
import { IconButton } from '../icon-button.tsx'
import { lazy } from '../lazy.tsx'
import { formatLongDay } from '../period/label.ts'

const AmountDialog = lazy(() => import('./amount-dialog.tsx'))

const describeAmount = ({ kind, label }: PlantAmount) =>
  label ? `${AMOUNT_KIND_LABELS[kind]}, ${label}` : AMOUNT_KIND_LABELS[kind]

const RemoveAmountButton = withAccess(
  plants.removeAmount,
  function RemoveAmountButton({ amount }: { amount: PlantAmount }) {
    const remove = useAction(plants.removeAmount, [plants.economies])
    return (
      <Confirm
        title="Retirer ce montant"
        description={`${describeAmount(amount)}\u00a0: ${formatMoney(amount.amount)}. Les résultats de la centrale changent aussitôt.`}
        action="Retirer le montant"
        onConfirm={async () => {
          await remove.run({ params: { id: amount.id } })
          toast({ title: 'Montant retiré', variant: 'success' })
        }}
        trigger={<IconButton label={`Retirer ${describeAmount(amount)}`} icon={<Trash aria-hidden="true" />} />}
      />
    )
  },
)

/** Everything that was entered of the plants of a producer. */
export function AmountList({ owner }: { owner: PlantEconomy }) {
  const [edited, setEdited] = useState<PlantAmount | 'new' | null>(null)
  return (
    <div className="grid gap-3 py-2 [&>*]:min-w-0">
      {owner.amounts.length === 0 && (
        <p className="text-body text-ink-soft">
          Aucun montant saisi&nbsp;: ni investissement, ni charge, ni vente du surplus.
        </p>
      )}
      <ul className="grid gap-1">
        {owner.amounts.map((amount) => (
          <li
            key={amount.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-1"
          >
            <span>
              {describeAmount(amount)}
              <span className="block text-[0.8125rem] text-ink-soft">
                {AMOUNT_FREQUENCY_LABELS[amount.every]}, {amount.every === 'once' ? 'le' : 'depuis le'}{' '}
                {formatLongDay(amount.startsOn)}
                {amount.endsOn && ` jusqu’au ${formatLongDay(amount.endsOn)}`}
              </span>
            </span>
            <span className="flex items-center gap-2">
              <span className="tabular">{formatMoney(amount.amount)}</span>
              <Can call={plants.updateAmount}>
                <Button variant="quiet" size="small" onClick={() => setEdited(amount)}>
                  Modifier
                </Button>
              </Can>
              <RemoveAmountButton amount={amount} />
            </span>
          </li>
        ))}
      </ul>
      <Can call={plants.addAmount}>
        <Button variant="secondary" size="small" className="justify-self-start" onClick={() => setEdited('new')}>
          Ajouter un montant
        </Button>
      </Can>
      {edited && (
        <Suspense>
          <AmountDialog owner={owner} amount={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </div>
  )
}
