import { useQuery } from '@tanstack/react-query'
import type { TariffFee } from '@voisol/contract/tariff-terms'
import { type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import { Suspense, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { formatPercent } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { formatTariffPeriod } from './state.tsx'
import { formatFee } from './terms-form.ts'

const FeeDialog = lazy(() => import('./fee-dialog.tsx'))

const formatVat = ({ outside, rate }: TariffFee) =>
  outside ? 'Hors champ' : rate === null ? 'Celle du vendeur' : formatPercent(rate / 10_000)

const columns: Column<TariffFee>[] = [
  { header: 'Frais', cell: ({ label }) => <span className="font-medium">{label}</span>, card: 'title' },
  { header: 'Montant hors taxes', cell: (fee) => <span className="tabular">{formatFee(fee)}</span> },
  { header: 'Facturés par', cell: ({ seller }) => seller },
  { header: 'Pour', cell: ({ group }) => group || 'Tous les acheteurs' },
  { header: 'TVA', cell: formatVat },
  { header: 'Jours', cell: (fee) => <span className="tabular">{formatTariffPeriod(fee)}</span> },
]

function RemoveFeeButton({ fee }: { fee: TariffFee }) {
  const { run } = useAction(tariffs.removeFee, [tariffs.fees])
  return (
    <Confirm
      title={`Supprimer «\u00a0${fee.label}\u00a0»\u00a0?`}
      description="Aucun mois clôturé ne les a comptés. Cette action est définitive."
      action="Supprimer ces frais"
      onConfirm={async () => {
        await run({ params: { id: fee.id } })
        toast({ title: 'Frais supprimés', description: fee.label, variant: 'success' })
      }}
      trigger={
        <Button variant="quiet" size="small">
          Supprimer
        </Button>
      }
    />
  )
}

export function FeeList({ operationId, choices }: { operationId: string; choices: TariffChoices }) {
  const canWrite = useCan()(tariffs.updateFee)
  const [open, setOpen] = useState<TariffFee>()
  const { data, error, refetch } = useQuery(query(tariffs.fees, { params: { id: operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Frais" />
  if (data.items.length === 0)
    return (
      <p className="text-body text-ink-soft">
        Aucuns frais.
        {choices.sellers.length === 0 && ' Il faut d’abord un vendeur, dans «\u00a0Vendeurs et mandats\u00a0».'}
      </p>
    )
  return (
    <>
      <Table
        label="Frais"
        rows={data.items}
        columns={columns}
        {...(canWrite && {
          rowActions: (fee: TariffFee) => (
            <>
              <Button variant="quiet" size="small" onClick={() => setOpen(fee)}>
                {fee.used ? 'Donner une fin' : 'Modifier'}
              </Button>
              {!fee.used && <RemoveFeeButton fee={fee} />}
            </>
          ),
        })}
      />
      <Suspense fallback={null}>
        {open && (
          <FeeDialog operationId={operationId} choices={choices} fee={open} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </>
  )
}
