import { useQuery } from '@tanstack/react-query'
import { ADD_ONS, PLANS } from '@voisol/contract/plan-prices'
import { PlanPeriod } from '@voisol/contract/plan-schemas'
import { Day, Version } from '@voisol/contract/primitives'
import { type Subscriber, subscription } from '@voisol/contract/subscription'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { DateField, Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { numberInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate, formatMoney, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatPlanPrice, getSubscriptionState } from './labels.ts'

type Row = Subscriber & { id: string }

function formatPaidUntil({ state, trialEndsAt, paidTo }: Subscriber): string {
  if (state === 'trial') return trialEndsAt ? formatDate(trialEndsAt) : '—'
  return paidTo ? formatDate(paidTo) : '—'
}

const columns: Column<Row>[] = [
  { header: 'Organisation', card: 'title', cell: ({ name }) => <bdi className="font-medium">{name}</bdi> },
  {
    header: 'Formule',
    card: 'primary',
    cell: ({ plan, price, period }) =>
      plan && price !== null ? (
        <>
          {PLANS[plan].name}
          <span className="block text-[0.8125rem] text-ink-soft">{formatPlanPrice(price, period)}</span>
        </>
      ) : (
        'Essai'
      ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: (row) => <Badge tone={getSubscriptionState(row).tone}>{getSubscriptionState(row).label}</Badge>,
  },
  { header: 'Jusqu’au', card: 'secondary', cell: formatPaidUntil },
  {
    header: 'Points',
    align: 'end',
    cell: ({ points: { used, limit } }) =>
      limit === null ? formatNumber(used) : `${formatNumber(used)} sur ${formatNumber(limit)}`,
  },
  { header: 'Reste à payer', align: 'end', cell: ({ open }) => formatMoney(open) },
]

/** Every company that subscribes here, for who keeps the installation. */
export function SubscribedCompanies() {
  const { data, error, refetch } = useQuery({ ...query(subscription.companies, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (!data.items.length)
    return (
      <EmptyState
        title="Aucune organisation abonnée"
        why="Celles qui s’inscrivent ici commencent par un essai de trente jours, et apparaissent dans cette liste."
        because="comes-by-itself"
      />
    )
  return (
    <Card
      title="Les organisations abonnées"
      description={
        'Leurs factures sont émises dans votre série ABO, et se suivent comme les autres dans «\u00a0Factures\u00a0».'
      }
    >
      <Table
        label="Organisations abonnées"
        rows={data.items.map((row) => ({ ...row, id: String(row.companyId) }))}
        columns={columns}
        rowActions={(row) => (
          <>
            <DeliverAddOnButtons row={row} />
            {row.state === 'trial' && <ExtendTrialButton row={row} />}
            {row.plan !== 'enterprise' && <GrantPlanButton row={row} />}
          </>
        )}
      />
    </Card>
  )
}

type Props = { row: Subscriber }
type FormProps = Props & { onDone: () => void }

const ExtendFormSchema = z.object({ lastDay: Day, version: Version })

function ExtendForm({ row, onDone }: FormProps) {
  const extend = useAction(subscription.extend, [subscription.companies])
  const form = useSchemaForm(ExtendFormSchema, {
    defaults: { lastDay: row.trialEndsAt?.slice(0, 10) ?? '', version: row.version },
    save: async (body) => {
      await extend.run({ params: { companyId: row.companyId }, body })
      toast({ title: 'Essai prolongé', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="lastDay" label="Dernier jour de l’essai">
        {(control) => <DateField control={control} />}
      </Field>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Prolonger l’essai
      </Button>
    </form>
  )
}

const GrantFormSchema = z.object({
  period: PlanPeriod,
  euros: numberInputSchema({ min: 1, max: 1_000_000 }),
  version: Version,
})
const PERIOD_OPTIONS = [
  { value: 'month', label: 'Par mois' },
  { value: 'year', label: 'Par an' },
]

function GrantForm({ row, onDone }: FormProps) {
  const grant = useAction(subscription.grant, [subscription.companies])
  const form = useSchemaForm(GrantFormSchema, {
    defaults: { period: 'year', euros: '', version: row.version },
    save: async ({ euros, ...body }) => {
      await grant.run({ params: { companyId: row.companyId }, body: { ...body, price: Math.round(euros * 100) } })
      toast({ title: 'Formule Enterprise ouverte', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="euros" label="Prix convenu, en euros hors taxes" inputMode="decimal" />
      <Field form={form} name="period" label="Période">
        {(control) => <Select {...control} options={PERIOD_OPTIONS} />}
      </Field>
      <p className="text-body text-ink-soft">
        La facture est émise à la confirmation&nbsp;; ce qui reste payé de la formule en cours en est déduit.
      </p>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Ouvrir la formule et facturer
      </Button>
    </form>
  )
}

function DialogButton({
  label,
  name,
  form: Form,
  row,
}: Props & { label: string; name: string; form: (props: FormProps) => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`${label} pour ${name}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <Dialog title={`${label}\u00a0: ${name}`} width="narrow" open onOpenChange={setOpen}>
          <Form row={row} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

const ExtendTrialButton = withAccess(subscription.extend, ({ row }: Props) => (
  <DialogButton label="Prolonger l’essai" name={row.name} form={ExtendForm} row={row} />
))
const GrantPlanButton = withAccess(subscription.grant, ({ row }: Props) => (
  <DialogButton label="Ouvrir Enterprise" name={row.name} form={GrantForm} row={row} />
))

const DeliverAddOnButtons = withAccess(subscription.deliver, ({ row }: Props) => {
  const deliver = useAction(subscription.deliver, [subscription.companies])
  return row.addOns
    .filter(({ state }) => state === 'ordered')
    .map(({ id, kind }) => (
      <Button
        key={id}
        variant="quiet"
        size="small"
        loading={deliver.isPending}
        onClick={() => deliver.run({ params: { companyId: row.companyId, id } })}
      >
        {`${ADD_ONS[kind].name} réalisée`}
      </Button>
    ))
})
