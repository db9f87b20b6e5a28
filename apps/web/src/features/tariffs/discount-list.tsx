import { useQuery } from '@tanstack/react-query'
import type { TariffDiscount } from '@voisol/contract/tariff-terms'
import { type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { Suspense, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { formatTariffPeriod } from './state.tsx'
import { formatDiscount } from './terms-form.ts'

const DiscountDialog = lazy(() => import('./discount-dialog.tsx'))

const columns: Column<TariffDiscount>[] = [
  { header: 'Remise', cell: ({ label }) => <span className="font-medium">{label}</span>, card: 'title' },
  { header: 'Montant', cell: (discount) => <span className="tabular">{formatDiscount(discount)}</span> },
  { header: 'Pour', cell: ({ participant }) => participant || 'Tous les acheteurs' },
  { header: 'Sur les factures de', cell: ({ seller }) => seller || 'Tous les vendeurs' },
  { header: 'Mois', cell: (discount) => <span className="tabular">{formatTariffPeriod(discount)}</span> },
]

function RemoveDiscountButton({ discount }: { discount: TariffDiscount }) {
  const { run } = useAction(tariffs.removeDiscount, [tariffs.discounts])
  return (
    <Confirm
      title={`Supprimer «\u00a0${discount.label}\u00a0»\u00a0?`}
      description="Aucun mois clôturé ne l’a comptée. Cette action est définitive."
      action="Supprimer cette remise"
      onConfirm={async () => {
        await run({ params: { id: discount.id } })
        toast({ title: 'Remise supprimée', description: discount.label, variant: 'success' })
      }}
      trigger={
        <Button variant="quiet" size="small">
          Supprimer
        </Button>
      }
    />
  )
}

type DiscountActionsProps = { items: TariffDiscount[]; discount: TariffDiscount; onOpen: () => void }

function DiscountActions({ items, discount, onOpen }: DiscountActionsProps) {
  const order = useAction(tariffs.orderDiscounts, [tariffs.discounts])
  const ids = items.map(({ id }) => id)
  const at = ids.indexOf(discount.id)
  const before = ids[at - 1]
  const moveUp = () =>
    before !== undefined &&
    order.run({
      params: { id: discount.operationId },
      body: { ids: [...ids.slice(0, at - 1), discount.id, before, ...ids.slice(at + 1)] },
    })
  return (
    <>
      {before !== undefined && (
        <IconButton
          label={`Appliquer ${discount.label} plus tôt`}
          icon={<ArrowUp aria-hidden="true" />}
          disabled={order.isPending}
          onClick={() => void moveUp()}
        />
      )}
      <Button variant="quiet" size="small" onClick={onOpen}>
        {discount.used ? 'Donner une fin' : 'Modifier'}
      </Button>
      {!discount.used && <RemoveDiscountButton discount={discount} />}
    </>
  )
}

export function DiscountList({ operationId, choices }: { operationId: string; choices: TariffChoices }) {
  const canWrite = useCan()(tariffs.updateDiscount)
  const [open, setOpen] = useState<TariffDiscount>()
  const { data, error, refetch } = useQuery(query(tariffs.discounts, { params: { id: operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Remises" />
  if (data.items.length === 0) return <p className="text-body text-ink-soft">Aucune remise.</p>
  return (
    <>
      <Table
        label="Remises"
        rows={data.items}
        columns={columns}
        {...(canWrite && {
          rowActions: (discount: TariffDiscount) => (
            <DiscountActions items={data.items} discount={discount} onOpen={() => setOpen(discount)} />
          ),
        })}
      />
      <Suspense fallback={null}>
        {open && (
          <DiscountDialog
            operationId={operationId}
            choices={choices}
            discount={open}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
