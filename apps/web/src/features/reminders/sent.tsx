import { useQuery } from '@tanstack/react-query'
import { REMINDER_LEVEL_LABELS, type ReminderRow, reminders } from '@voisol/contract/reminders'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const describeDelivery = ({ email, mailedAt, failure }: ReminderRow) =>
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
  { header: 'Relance', card: 'primary', cell: ({ level }) => REMINDER_LEVEL_LABELS[level] },
  { header: 'Envoyée le', card: 'primary', cell: ({ sentOn }) => formatDate(sentOn) },
  { header: 'Réclamé', card: 'primary', align: 'end', cell: ({ open }) => formatMoney(open) },
  {
    header: 'Remise',
    card: 'primary',
    cell: (row) => <span className={row.failure ? 'text-danger' : undefined}>{describeDelivery(row)}</span>,
  },
  { header: 'Par', cell: ({ by }) => by || 'Voisol' },
]

const MAX_LISTED_REMINDERS = 25

/** The last ones that were sent, each with its letter. */
export function SentReminders() {
  const { data } = useQuery(query(reminders.list, { query: { size: MAX_LISTED_REMINDERS } }))
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
                toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
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
