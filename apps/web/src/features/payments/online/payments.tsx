import { useQuery } from '@tanstack/react-query'
import { online, RefundOnlineInput } from '@voisol/contract/online'
import type { OnlinePayment } from '@voisol/contract/online-views'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDateTime, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ONLINE_METHOD_LABELS, ONLINE_STATE_LABELS } from './labels.ts'

const columns: Column<OnlinePayment>[] = [
  {
    header: 'Facture',
    cell: ({ invoice, buyer }) => (
      <span className="block min-w-32">
        <Link to={`/invoice/${invoice.id}`} className="tabular font-medium text-link">
          {invoice.number}
        </Link>
        <span className="block text-[0.8125rem] text-ink-soft">{buyer}</span>
      </span>
    ),
  },
  { header: 'Moyen', cell: ({ method }) => ONLINE_METHOD_LABELS[method].label },
  { header: 'Montant', align: 'end', cell: ({ amount }) => <span className="tabular">{formatMoney(amount)}</span> },
  { header: 'Reste encaissé', align: 'end', cell: ({ net }) => <span className="tabular">{formatMoney(net)}</span> },
  {
    header: 'État',
    cell: ({ state, reason }) => (
      <span className="grid justify-items-start gap-0.5">
        <Badge tone={ONLINE_STATE_LABELS[state].tone}>{ONLINE_STATE_LABELS[state].label}</Badge>
        {reason && <span className="text-[0.8125rem] text-ink-soft">{reason}</span>}
      </span>
    ),
  },
  { header: 'Ouvert le', cell: ({ startedAt }) => <span className="tabular">{formatDateTime(startedAt)}</span> },
]

const parseCents = (text: string) => Math.round(Number(text.replace(',', '.')) * 100)

function RefundForm({ payment, onDone }: { payment: OnlinePayment; onDone: () => void }) {
  const refund = useAction(online.refund, [online.payments])
  const form = useSchemaForm(RefundOnlineInput, {
    defaults: { amount: payment.net },
    save: async ({ amount }) => {
      await refund.run({ params: { id: payment.id }, body: { amount } })
      toast({ title: 'Remboursement demandé au prestataire', variant: 'success' })
      onDone()
    },
  })
  const amountText = (payment.net / 100).toFixed(2).replace('.', ',')
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field
        form={form}
        name="amount"
        label="Montant à rembourser, en euros"
        hint={`Au plus ${formatMoney(payment.net)}.`}
      >
        {(control) => (
          <input
            {...control}
            {...form.register('amount', { setValueAs: (text) => (typeof text === 'string' ? parseCents(text) : text) })}
            defaultValue={amountText}
            inputMode="decimal"
            className="tabular h-control w-full rounded-button border border-control bg-card px-3"
          />
        )}
      </Field>
      <Button type="submit" variant="danger" loading={form.formState.isSubmitting} className="justify-self-end">
        Rembourser
      </Button>
    </form>
  )
}

const RefundButton = withAccess(online.refund, ({ payment }: { payment: OnlinePayment }) => {
  const [open, setOpen] = useState(false)
  if (payment.state !== 'paid' && payment.state !== 'partly') return null
  return (
    <Dialog
      title={`Rembourser ${payment.invoice.number}`}
      description="Le prestataire rend la somme sur la même carte ou le même compte. La facture est de nouveau à payer d’autant."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small" aria-label={`Rembourser ${payment.invoice.number}`}>
          Rembourser
        </Button>
      }
    >
      <RefundForm payment={payment} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

/** Every attempt to pay online, and where it stands by what the provider told. */
export default function OnlinePayments() {
  const { data, error, refetch } = useQuery({ ...query(online.payments, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Aucun paiement en ligne"
        why="Les paiements par carte et par prélèvement en ligne paraîtront ici, dès qu’un participant en ouvrira un."
        action={
          <ButtonLink variant="secondary" to="/advanced-billing?tab=paiement-en-ligne">
            Régler le paiement en ligne
          </ButtonLink>
        }
      />
    )
  return (
    <Table
      label="Paiements en ligne"
      rows={data.items}
      columns={columns}
      rowActions={(payment) => <RefundButton payment={payment} />}
    />
  )
}
