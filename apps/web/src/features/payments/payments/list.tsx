import { invoices } from '@voisol/contract/invoices'
import { PAYMENT_KIND_LABELS, PAYMENT_METHOD_LABELS } from '@voisol/contract/payment-labels'
import { type PaymentRow, payments } from '@voisol/contract/payments'
import { Suspense, useState } from 'react'
import { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import type { Column } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { Can, withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate, formatMoney } from '../../../lib/format.ts'
import { useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { centsInputSchema, requiredDayInputSchema } from './payment-form.ts'

const RecordPaymentDialog = lazy(() => import('./record.tsx'))
const softTextClass = 'block text-[0.8125rem] text-ink-soft'
const OUTGOING_KINDS = ['refund', 'return', 'undo', 'charge', 'openingDebit']

function describeState({ kind, reversedOn, open }: PaymentRow): { label: string; tone: Tone } {
  if (reversedOn) return { label: `Repris le ${formatDate(reversedOn)}`, tone: 'danger' }
  if (kind === 'return' || kind === 'undo') return { label: PAYMENT_KIND_LABELS[kind], tone: 'neutral' }
  if (open > 0)
    return { label: `${formatMoney(open)} ${OUTGOING_KINDS.includes(kind) ? 'dus' : 'en avance'}`, tone: 'warning' }
  return { label: 'Affecté', tone: 'success' }
}

const columns: Column<PaymentRow>[] = [
  {
    header: 'Payé par',
    card: 'title',
    sort: 'buyer',
    cell: ({ buyer, seller, producer }) => (
      <span className="block min-w-40 py-1">
        {producer ? (
          buyer.name
        ) : (
          <Link to={`/participant-billing?participant=${buyer.id}`} className="font-medium text-link">
            {buyer.name}
          </Link>
        )}
        <span className={softTextClass}>à {seller.name}</span>
      </span>
    ),
  },
  {
    header: 'Date',
    card: 'primary',
    sort: 'bookedOn',
    cell: ({ bookedOn }) => <span className="whitespace-nowrap">{formatDate(bookedOn)}</span>,
  },
  {
    header: 'Nature',
    card: 'primary',
    cell: ({ kind, method, note }) => (
      <span className="block max-w-60 py-1">
        {PAYMENT_KIND_LABELS[kind]}
        <span className={softTextClass}>
          {[...new Set([method !== 'none' && PAYMENT_METHOD_LABELS[method], note])].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    header: 'Règle',
    card: 'secondary',
    cell: ({ matched }) => (
      <span className="block py-1">
        {matched.map(({ invoiceId, number, amount }) => (
          <span key={invoiceId} className="block whitespace-nowrap">
            <Link to={`/invoice/${invoiceId}`} className="tabular text-link">
              {number}
            </Link>{' '}
            <span className="tabular text-[0.8125rem] text-ink-soft">{formatMoney(amount)}</span>
          </span>
        ))}
        {matched.length === 0 && <span className="max-sm:hidden">–</span>}
      </span>
    ),
  },
  {
    header: 'Montant',
    card: 'primary',
    align: 'end',
    sort: 'amount',
    cell: ({ kind, amount }) => (
      <span className="font-medium">{formatMoney(OUTGOING_KINDS.includes(kind) ? -amount : amount)}</span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: (row) => {
      const { label, tone } = describeState(row)
      return <Badge tone={tone}>{label}</Badge>
    },
  },
]

const KIND_OPTIONS = (['receipt', 'return', 'refund', 'writeOff'] as const).map((value) => ({
  value,
  label: PAYMENT_KIND_LABELS[value],
}))

/** What came in and went out, and what each of it settled. */
export default function PaymentList() {
  const list = useList(payments.list)
  const [recording, setRecording] = useState(false)
  const totals = list.data?.totals
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      {totals && list.total > 0 && (
        <div className="grid gap-4 sm:grid-cols-3 [&>*]:min-w-0">
          <KpiTile label="Encaissé" figure={formatMoney(totals.received)} note="Ce qui a été annulé n’y est plus" />
          <KpiTile label="Rejeté par la banque" figure={formatMoney(totals.returned)} note="De nouveau dû" />
          <KpiTile label="Avances" figure={formatMoney(totals.advance)} note="À déduire des prochaines factures" />
        </div>
      )}
      <ListScreen
        list={list}
        label="Encaissements"
        search="Rechercher un nom, une note, un montant"
        columns={columns}
        filters={
          <FilterChips
            label="Nature"
            options={KIND_OPTIONS}
            value={list.filters.kind}
            onChange={(kind) => list.setFilters({ kind })}
          />
        }
        actions={
          <Can call={payments.create}>
            <Button onClick={() => setRecording(true)}>Enregistrer un paiement</Button>
          </Can>
        }
        rowActions={(row) => <PaymentActions row={row} />}
        empty={
          <EmptyState
            title="Aucun paiement"
            why="Les virements, chèques et prélèvements paraissent ici dès qu’ils sont enregistrés ou rapprochés de la banque, avec les factures qu’ils règlent."
            action={
              <Can call={payments.create}>
                <Button onClick={() => setRecording(true)}>Enregistrer un premier paiement</Button>
              </Can>
            }
          />
        }
      />
      {recording && (
        <Suspense fallback={null}>
          <RecordPaymentDialog onClose={() => setRecording(false)} />
        </Suspense>
      )}
    </div>
  )
}

type Props = { row: PaymentRow }
const DEPENDENT_QUERIES = [
  payments.list,
  payments.account,
  payments.ofInvoice,
  invoices.list,
  invoices.get,
  invoices.accounts,
]
const UndoForm = z.object({ reason: z.string().trim().min(5, 'Dites pourquoi en quelques mots.').max(500) })
const CREDIT_KINDS = ['receipt', 'writeOff', 'openingCredit']

function UndoDialog({ row, onClose }: Props & { onClose: () => void }) {
  const undo = useAction(payments.undo, DEPENDENT_QUERIES)
  const form = useSchemaForm(UndoForm, {
    defaults: { reason: '' },
    save: async (body) => {
      await undo.run({ params: { id: row.id }, body })
      toast({ title: 'Paiement annulé', description: 'Ce qu’il avait réglé est de nouveau dû.', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={`Annuler les ${formatMoney(row.amount)} du ${formatDate(row.bookedOn)}`}
      description="Le paiement reste écrit, avec son annulation ; ce qu’il avait réglé est de nouveau dû, au centime près."
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="reason" label="Pourquoi" placeholder="Saisi deux fois" />
        <footer className="flex justify-end">
          <Button type="submit" variant="danger" loading={form.formState.isSubmitting}>
            Annuler ce paiement
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

const RefundForm = z.object({ amount: centsInputSchema, bookedOn: requiredDayInputSchema })

function RefundDialog({ row, onClose }: Props & { onClose: () => void }) {
  const refund = useAction(payments.refund, DEPENDENT_QUERIES)
  const form = useSchemaForm(RefundForm, {
    defaults: { amount: String(row.open / 100).replace('.', ','), bookedOn: getTodayInParis() },
    save: async (values) => {
      await refund.run({ body: { creditId: row.id, method: 'transfer', ...values } })
      toast({ title: 'Remboursement enregistré', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={`Rembourser ${row.buyer.name}`}
      description={`${formatMoney(row.open)} restent de ce paiement. Le virement est à faire à la banque ; il est noté ici.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="amount" label="Montant (€)" inputMode="decimal" />
          <Field form={form} name="bookedOn" label="Viré le" type="date" />
        </div>
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Noter le remboursement
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

const PaymentActions = withAccess(payments.undo, ({ row }: Props) => {
  const [open, setOpen] = useState<'undo' | 'refund' | null>(null)
  const close = () => setOpen(null)
  if (row.reversedOn || !CREDIT_KINDS.includes(row.kind)) return null
  return (
    <>
      {row.kind === 'receipt' && row.open > 0 && (
        <Button variant="quiet" size="small" onClick={() => setOpen('refund')}>
          Rembourser
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => setOpen('undo')}>
        Annuler
      </Button>
      {open === 'undo' && <UndoDialog row={row} onClose={close} />}
      {open === 'refund' && <RefundDialog row={row} onClose={close} />}
    </>
  )
})
