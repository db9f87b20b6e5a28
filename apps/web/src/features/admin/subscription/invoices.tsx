import { useQuery } from '@tanstack/react-query'
import type { Endpoint, EndpointInput } from '@voisol/contract/endpoint'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { type PlatformInvoice, subscription } from '@voisol/contract/subscription'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatDate, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const STATE_LABELS: Record<PlatformInvoice['state'], { label: string; tone: Tone }> = {
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
    cell: ({ number, kind }) => <span className="font-medium">{`${INVOICE_KIND_LABELS[kind]} ${number}`}</span>,
  },
  { header: 'Objet', card: 'secondary', cell: ({ label }) => label },
  { header: 'Émis le', card: 'primary', cell: ({ issuedOn }) => formatDate(issuedOn) },
  { header: 'Échéance', card: 'secondary', cell: ({ dueOn }) => formatDate(dueOn) },
  {
    header: 'TTC',
    align: 'end',
    card: 'primary',
    cell: ({ gross, kind }) => formatMoney(kind === 'creditNote' ? -gross : gross),
  },
  { header: 'Reste', align: 'end', cell: ({ open }) => formatMoney(open) },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state }) => <Badge tone={STATE_LABELS[state].tone}>{STATE_LABELS[state].label}</Badge>,
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
            <DownloadDocumentButton
              endpoint={subscription.pdf}
              input={{ params: { id } }}
              label={`Télécharger ${number} en PDF`}
            >
              PDF
            </DownloadDocumentButton>
            {hasXml && (
              <DownloadDocumentButton
                endpoint={subscription.xml}
                input={{ params: { id } }}
                label={`Télécharger ${number} en XML`}
              >
                XML
              </DownloadDocumentButton>
            )}
          </>
        )}
      />
    </Card>
  )
}

type Props<E extends Endpoint> = { endpoint: E; input: EndpointInput<E>; label: string; children: string }

/** Takes a document away; what stands in its way is said. */
function DownloadDocumentButton<E extends Endpoint>({ endpoint, input, label, children }: Props<E>) {
  const [loading, setLoading] = useState(false)
  const startDownload = () => {
    setLoading(true)
    download(endpoint, input)
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setLoading(false))
  }
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={label}
      icon={<Download aria-hidden="true" />}
      loading={loading}
      onClick={startDownload}
    >
      {children}
    </Button>
  )
}
