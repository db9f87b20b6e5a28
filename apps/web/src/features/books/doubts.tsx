import { useQuery } from '@tanstack/react-query'
import type { DoubtfulDebt } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { withAccess } from '../../lib/can.tsx'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'
import { type Column, Table } from '../../ui/table.tsx'

const columns: Column<DoubtfulDebt>[] = [
  {
    header: 'Client',
    card: 'title',
    cell: ({ customer, number }) => (
      <span className="block">
        <span className="block font-medium">{customer}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">{number}</span>
      </span>
    ),
  },
  { header: 'Créance', card: 'primary', align: 'end', cell: ({ cents }) => formatMoney(cents) },
  { header: 'Dépréciation', card: 'primary', align: 'end', cell: ({ lost }) => formatMoney(lost) },
  { header: 'Depuis', card: 'primary', cell: ({ bookedOn, by }) => `${formatDate(bookedOn)}, ${by}` },
  { header: 'Motif', card: 'secondary', cell: ({ reason }) => <span className="block max-w-80">{reason}</span> },
  {
    header: 'État',
    card: 'primary',
    cell: ({ lifted }) =>
      lifted ? <Badge>Levé le {formatDate(lifted)}</Badge> : <Badge tone="warning">Douteuse</Badge>,
  },
]

const LiftDoubtButton = withAccess(books.liftDoubt, ({ doubt }: { doubt: DoubtfulDebt }) => {
  const lift = useAction(books.liftDoubt, [books.doubts, books.entries, books.months, books.balance, books.ties])
  if (doubt.lifted) return null
  return (
    <Confirm
      tone="primary"
      title={`Lever le doute sur ${doubt.number}`}
      description="La créance revient au compte des clients et sa dépréciation est reprise, à la date d’aujourd’hui."
      action="Lever le doute"
      trigger={
        <Button variant="secondary" size="small">
          Lever le doute
        </Button>
      }
      onConfirm={async () => {
        await lift.run({ params: { id: doubt.id }, body: { bookedOn: getTodayInParis() } })
        toast({ title: 'Doute levé', variant: 'success' })
      }}
    />
  )
})

/** Claims that may not be paid; nothing where there is none. */
export function DoubtfulClaims({ sellerId }: { sellerId: string }) {
  const { data } = useQuery(query(books.doubts, { params: { sellerId } }))
  if (!data || data.items.length === 0) return null
  return (
    <div className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Créances douteuses</h2>
      <Table
        label="Créances douteuses"
        rows={data.items}
        columns={columns}
        rowActions={(doubt) => <LiftDoubtButton doubt={doubt} />}
      />
    </div>
  )
}
