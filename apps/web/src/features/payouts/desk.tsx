import { useQuery } from '@tanstack/react-query'
import { type PayoutDue, payouts } from '@voisol/contract/payouts'
import { useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { usePayingAccounts } from './accounts.ts'
import { PreparedPayouts } from './made.tsx'

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
