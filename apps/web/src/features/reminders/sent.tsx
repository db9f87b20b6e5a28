import { useQuery } from '@tanstack/react-query'
import { LEVEL_WORDS, type ReminderRow, reminders } from '@voisol/contract/reminders'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { date, money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const deliveryOf = ({ email, mailedAt, failure }: ReminderRow) =>
  failure || (email ? `${mailedAt ? 'Remise' : 'En attente'}\u00a0: ${email}` : 'À imprimer et poster')

const columns: Column<ReminderRow>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{buyer.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">pour {seller.name}</span>
      </span>
    ),
  },
  { header: 'Relance', card: 'primary', cell: ({ level }) => LEVEL_WORDS[level] },
  { header: 'Envoyée le', card: 'primary', cell: ({ sentOn }) => date(sentOn) },
  { header: 'Réclamé', card: 'primary', align: 'end', cell: ({ open }) => money(open) },
  {
    header: 'Remise',
    card: 'primary',
    cell: (row) => <span className={row.failure ? 'text-danger' : undefined}>{deliveryOf(row)}</span>,
  },
  { header: 'Par', cell: ({ by }) => by || 'Voisol' },
]

const MOST = 25

/** The last ones that were sent, each with its letter. */
export function Sent() {
  const { data } = useQuery(query(reminders.list, { query: { size: MOST } }))
  if (!data?.items.length) return null
  return (
    <section className="grid gap-3 [&>*]:min-w-0">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Relances envoyées</h2>
      <Table
        label="Relances envoyées"
        rows={data.items}
        columns={columns}
        rowActions={({ id, buyer }) => (
          <Button
            variant="quiet"
            size="small"
            icon={<Download aria-hidden="true" />}
            aria-label={`Lettre à ${buyer.name}, PDF`}
            onClick={() =>
              void download(reminders.pdf, { params: { id } }).catch((error: unknown) =>
                toast({ title: 'Téléchargement impossible', description: explain(error), variant: 'destructive' }),
              )
            }
          >
            PDF
          </Button>
        )}
      />
    </section>
  )
}
