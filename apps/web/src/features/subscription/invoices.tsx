import { useQuery } from '@tanstack/react-query'
import { KIND_WORDS } from '@voisol/contract/money'
import { type PlatformInvoice, subscription } from '@voisol/contract/subscription'
import { date, money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DownloadPaper } from './download.tsx'

const STATES: Record<PlatformInvoice['state'], { label: string; tone: Tone }> = {
  due: { label: 'À régler', tone: 'info' },
  overdue: { label: 'En retard', tone: 'danger' },
  settled: { label: 'Soldée', tone: 'success' },
  credit: { label: 'En votre faveur', tone: 'success' },
  told: { label: 'Pour mémoire', tone: 'neutral' },
}

const columns: Column<PlatformInvoice>[] = [
  {
    header: 'Document',
    card: 'title',
    cell: ({ number, kind }) => <span className="font-medium">{`${KIND_WORDS[kind]} ${number}`}</span>,
  },
  { header: 'Objet', card: 'secondary', cell: ({ label }) => label },
  { header: 'Émis le', card: 'primary', cell: ({ issuedOn }) => date(issuedOn) },
  { header: 'Échéance', card: 'secondary', cell: ({ dueOn }) => date(dueOn) },
  {
    header: 'TTC',
    align: 'end',
    card: 'primary',
    cell: ({ gross, kind }) => money(kind === 'creditNote' ? -gross : gross),
  },
  { header: 'Reste', align: 'end', cell: ({ open }) => money(open) },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
  },
]

/** What the keeper of the installation asked for, to be taken away. */
export function PlatformInvoices() {
  const { data, error, refetch } = useQuery({ ...query(subscription.invoices, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (!data.items.length)
    return (
      <EmptyState
        title="Aucune facture"
        why="Les factures de l’abonnement et de ses options seront ici."
        because="comes-by-itself"
      />
    )
  return (
    <Card
      title="Factures de l’abonnement"
      description="Elles se règlent par virement, avec leur numéro en référence, ou par prélèvement si vous avez signé un mandat."
    >
      <Table
        label="Factures de l’abonnement"
        rows={data.items}
        columns={columns}
        rowActions={({ id, number, hasXml }) => (
          <>
            <DownloadPaper
              endpoint={subscription.pdf}
              input={{ params: { id } }}
              label={`Télécharger ${number} en PDF`}
            >
              PDF
            </DownloadPaper>
            {hasXml && (
              <DownloadPaper
                endpoint={subscription.xml}
                input={{ params: { id } }}
                label={`Télécharger ${number} en XML`}
              >
                XML
              </DownloadPaper>
            )}
          </>
        )}
      />
    </Card>
  )
}
