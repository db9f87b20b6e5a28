import { useQuery } from '@tanstack/react-query'
import type { TariffDiscount, TariffFee } from '@voisol/contract/tariff-terms'
import { type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton, TableSkeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatPercent } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatDiscount, formatFee } from './terms-form.ts'
import { formatTariffPeriod } from './version-state.tsx'

const FeeDialog = lazy(() => import('./fee-dialog.tsx'))
const DiscountDialog = lazy(() => import('./discount-dialog.tsx'))

type OperationTariffProps = { operationId: string; choices: TariffChoices }

const AddButton = ({ label, dialog }: { label: string; dialog: (close: () => void) => ReactNode }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense fallback={null}>{open && dialog(() => setOpen(false))}</Suspense>
    </>
  )
}
const AddFeeButton = withAccess(tariffs.createFee, (place: OperationTariffProps) => (
  <AddButton label="Ajouter des frais" dialog={(close) => <FeeDialog {...place} onClose={close} />} />
))
const AddDiscountButton = withAccess(tariffs.createDiscount, (place: OperationTariffProps) => (
  <AddButton label="Ajouter une remise" dialog={(close) => <DiscountDialog {...place} onClose={close} />} />
))

const TermsSection = ({
  title,
  about,
  add,
  children,
}: {
  title: string
  about: string
  add: ReactNode
  children: ReactNode
}) => (
  <section className="grid gap-4 [&>*]:min-w-0">
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div>
        <h2 className="text-base font-semibold tracking-[-0.01em]">{title}</h2>
        <p className="prose-width text-body text-ink-soft">{about}</p>
      </div>
      {add}
    </header>
    {children}
  </section>
)

function OperationTerms({ operationId }: { operationId: string }) {
  const { data: choices, error, refetch } = useQuery(query(tariffs.choices, { params: { id: operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!choices) return <Skeleton className="h-96 w-full" />
  const place = { operationId, choices }
  return (
    <div className="grid gap-10 [&>*]:min-w-0">
      <TermsSection
        title="Frais"
        about="Ce que chaque membre paie à côté de l’énergie, au prorata des jours."
        add={choices.sellers.length > 0 && <AddFeeButton {...place} />}
      >
        <FeeList {...place} />
      </TermsSection>
      <TermsSection
        title="Remises"
        about="Déduites de l’énergie de chaque facture, dans cet ordre."
        add={<AddDiscountButton {...place} />}
      >
        <DiscountList {...place} />
      </TermsSection>
    </div>
  )
}

/** What an operation asks and grants beside its prices. */
export default function FeesAndDiscountsTab() {
  return (
    <OperationSelector why="Un tarif est celui d’une opération.">
      {({ id }) => <OperationTerms operationId={id} />}
    </OperationSelector>
  )
}

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

function FeeList({ operationId, choices }: { operationId: string; choices: TariffChoices }) {
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

const discountListColumns: Column<TariffDiscount>[] = [
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

function DiscountList({ operationId, choices }: { operationId: string; choices: TariffChoices }) {
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
        columns={discountListColumns}
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
