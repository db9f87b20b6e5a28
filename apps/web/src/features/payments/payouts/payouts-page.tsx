import { useQuery } from '@tanstack/react-query'
import { payments } from '@voisol/contract/payments'
import { PAYOUT_STATUS_LABELS, type Payout, type PayoutDue, type PayoutStatus, payouts } from '@voisol/contract/payouts'
import { useState } from 'react'
import { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { Can, useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type Row = PayoutDue & { id: string }

const columns: Column<Row>[] = [
  {
    header: 'Producteur',
    card: 'title',
    cell: ({ seller, holder }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{seller.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">encaissé par {holder.name}</span>
      </span>
    ),
  },
  { header: 'Encaissé', card: 'primary', align: 'end', cell: ({ collected }) => formatMoney(collected) },
  {
    header: 'Frais déduits',
    card: 'primary',
    align: 'end',
    cell: ({ setOff }) => (setOff ? formatMoney(setOff) : '–'),
  },
  { header: 'Déjà versé', card: 'primary', align: 'end', cell: ({ paid }) => (paid ? formatMoney(paid) : '–') },
  { header: 'Frais à déduire', align: 'end', cell: ({ fees }) => (fees ? formatMoney(fees) : '–') },
  {
    header: 'À verser',
    card: 'primary',
    align: 'end',
    cell: ({ payable, waits }) => (
      <span className="block py-1">
        <strong>{formatMoney(payable)}</strong>
        {waits && <span className="block max-w-56 text-[0.8125rem] text-ink-soft max-sm:ml-auto">{waits}</span>}
      </span>
    ),
  },
]

function PlanSelectedPayouts({ rows, onDone }: { rows: Row[]; onDone: () => void }) {
  const plan = useAction(payouts.plan, [payouts.due, payouts.list])
  const accounts = usePayingAccounts()
  const sum = rows.reduce((total, { payable }) => total + payable, 0)
  const [first] = rows
  const account = accounts.find(({ ownerId }) => ownerId === first?.holder.id)
  if (!account || !first)
    return <span className="text-body">Choisissez des sommes encaissées par un même titulaire.</span>
  const own = rows.filter(({ holder }) => holder.id === first.holder.id)
  return (
    <Confirm
      tone="primary"
      title={`Préparer ${formatMoney(sum)} de reversements`}
      description={`Depuis «\u00a0${account.name}\u00a0». Les frais ouverts sont déduits\u00a0; le fichier de virements se fait ensuite.`}
      action="Préparer"
      trigger={<Button size="small">Préparer les reversements</Button>}
      onConfirm={async () => {
        const { items, refused } = await plan.run({
          body: { accountId: account.id, sellerIds: own.map(({ seller }) => seller.id) },
        })
        const why = refused[0] ? `${refused[0].seller}\u00a0: ${refused[0].why}` : ''
        toast({
          title: formatCount(items.length, 'reversement préparé', 'reversements préparés'),
          description: why,
          variant: why ? 'destructive' : 'success',
        })
        onDone()
      }}
    />
  )
}

function DuePayouts() {
  const { data, error, refetch } = useQuery(query(payouts.due, {}))
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const can = useCan()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Sommes dues aux producteurs" />
  const rows = data.items.map((item) => ({ ...item, id: `${item.seller.id} ${item.holder.id}` }))
  if (rows.length === 0)
    return (
      <EmptyState
        title="Rien n’est encaissé pour un autre"
        why="Quand un paiement arrive sur le compte de l’organisateur pour une facture d’un producteur, ce qui lui est dû paraît ici."
        because="all-well"
      />
    )
  return (
    <Table
      label="Sommes dues aux producteurs"
      rows={rows}
      columns={columns}
      {...(can(payouts.plan) && {
        selection: {
          ids,
          onChange: setIds,
          label: ({ seller }: Row) => `Choisir ${seller.name}`,
          actions: <PlanSelectedPayouts rows={rows.filter(({ id }) => ids.has(id))} onDone={() => setIds(new Set())} />,
        },
      })}
    />
  )
}

/** What was collected for producers, and how it reaches them. */
export default function PayoutsPanel() {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <DuePayouts />
      <PreparedPayouts />
    </div>
  )
}

/** The accounts that money may leave, by who owns them. */
function usePayingAccounts() {
  const enabled = useCan()(payments.choices)
  return useQuery({ ...query(payments.choices, {}), enabled }).data?.accounts ?? []
}

const STATUS_TONES: Record<PayoutStatus, Tone> = {
  planned: 'warning',
  filed: 'info',
  paid: 'success',
  cancelled: 'neutral',
}
const DEPENDENT_QUERIES = [payouts.due, payouts.list]

const madeColumns: Column<Payout>[] = [
  {
    header: 'Producteur',
    card: 'title',
    cell: ({ seller, account }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{seller.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">depuis {account.name}</span>
      </span>
    ),
  },
  { header: 'Préparé le', card: 'primary', cell: ({ createdOn }) => formatDate(createdOn) },
  { header: 'Référence', cell: ({ endToEndId }) => <span className="tabular">{endToEndId}</span> },
  {
    header: 'Frais déduits',
    card: 'primary',
    align: 'end',
    cell: ({ setOff }) => (setOff ? formatMoney(setOff) : '–'),
  },
  { header: 'Montant', card: 'primary', align: 'end', cell: ({ amount }) => <strong>{formatMoney(amount)}</strong> },
  {
    header: 'État',
    card: 'primary',
    cell: ({ status, paidOn }) => (
      <Badge tone={STATUS_TONES[status]}>
        {PAYOUT_STATUS_LABELS[status]}
        {paidOn && ` le ${formatDate(paidOn)}`}
      </Badge>
    ),
  },
]

const PaidForm = z.object({ on: z.string().pipe(z.iso.date()), bankReference: z.string().trim().max(140) })

function PaidDialog({ payout, onClose }: { payout: Payout; onClose: () => void }) {
  const paid = useAction(payouts.paid, DEPENDENT_QUERIES)
  const form = useSchemaForm(PaidForm, {
    defaults: { on: getTodayInParis(), bankReference: '' },
    save: async (values) => {
      await paid.run({ params: { id: payout.id }, body: { ...values, version: payout.version } })
      toast({ title: 'Reversement viré', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={`Viré à ${payout.seller.name}`}
      description={formatMoney(payout.amount)}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="on" label="Date du débit à la banque" type="date" />
        <Field form={form} name="bankReference" label="Référence de la ligne de banque" optional />
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Noter comme viré
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

function PayoutActions({ payout }: { payout: Payout }) {
  const [open, setOpen] = useState(false)
  const cancel = useAction(payouts.cancel, DEPENDENT_QUERIES)
  const { id, status, version, seller } = payout
  return (
    <>
      {status === 'filed' && (
        <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
          Viré
        </Button>
      )}
      {(status === 'planned' || status === 'filed') && (
        <Confirm
          title={`Annuler le reversement à ${seller.name}`}
          description="Les frais déduits sont de nouveau dus, et la somme à verser. Un fichier déjà remis à la banque n’est pas rappelé."
          action="Annuler le reversement"
          trigger={
            <Button variant="quiet" size="small">
              Annuler
            </Button>
          }
          onConfirm={() => cancel.run({ params: { id }, body: { version } })}
        />
      )}
      {open && <PaidDialog payout={payout} onClose={() => setOpen(false)} />}
    </>
  )
}

const FileForm = z.object({ on: z.string().pipe(z.iso.date()) })
const downloadPayoutFile = (id: string) =>
  download(payouts.download, { params: { id } }).catch((error: unknown) =>
    toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
  )

function FileDialog({ rows, onClose }: { rows: Payout[]; onClose: () => void }) {
  const file = useAction(payouts.file, DEPENDENT_QUERIES)
  const [first] = rows
  const form = useSchemaForm(FileForm, {
    defaults: { on: getTodayInParis() },
    save: async ({ on }) => {
      if (!first) return
      const createdFile = await file.run({ body: { accountId: first.account.id, on } })
      toast({
        title: `Fichier ${createdFile.messageId}`,
        description: formatMoney(createdFile.amount),
        variant: 'success',
      })
      await downloadPayoutFile(first.id)
      onClose()
    },
  })
  const sum = rows.reduce((total, { amount }) => total + amount, 0)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title="Établir le fichier de virements"
      description={`${formatCount(rows.length, 'virement')}, ${formatMoney(sum)}, depuis ${first?.account.name}. Le fichier (pain.001) se dépose à la banque.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="on" label="Jour du virement" type="date" />
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Établir le fichier
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** What was prepared, put into a file, and paid. */
function PreparedPayouts() {
  const { data } = useQuery(query(payouts.list, {}))
  const [filing, setFiling] = useState(false)
  if (!data?.items.length) return null
  const planned = data.items.filter(({ status }) => status === 'planned')
  const plannedOfAccount = planned.filter(({ account }) => account.id === planned[0]?.account.id)
  return (
    <section className="grid gap-3 [&>*]:min-w-0">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold tracking-[-0.01em]">Reversements</h2>
        {planned.length > 0 && (
          <Can call={payouts.file}>
            <Button onClick={() => setFiling(true)}>Établir le fichier</Button>
          </Can>
        )}
      </header>
      <Table
        label="Reversements"
        rows={data.items}
        columns={madeColumns}
        rowActions={(payout) => (
          <>
            {payout.messageId && (
              <Button variant="quiet" size="small" onClick={() => void downloadPayoutFile(payout.id)}>
                Fichier
              </Button>
            )}
            <Can call={payouts.paid}>
              <PayoutActions payout={payout} />
            </Can>
          </>
        )}
      />
      {filing && <FileDialog rows={plannedOfAccount} onClose={() => setFiling(false)} />}
    </section>
  )
}
