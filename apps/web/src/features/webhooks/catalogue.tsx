import { useQuery } from '@tanstack/react-query'
import { webhooks } from '@voisol/contract/webhooks'
import { query } from '../../lib/queries.ts'
import { CodePanel } from '../../ui/code/panel.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type EventRow = { id: string; label: string; schema: Record<string, unknown>; sample: unknown }
const columns: Column<EventRow>[] = [
  { header: 'Événement', card: 'title', cell: ({ label }) => <span className="font-medium">{label}</span> },
  { header: 'Nom', card: 'secondary', cell: ({ id }) => <code className="text-[0.8125rem]">{id}</code> },
]
const formatJson = (value: unknown) => JSON.stringify(value, null, 2)

/** What can be asked for, with a sample and the schema of each. */
export function EventCatalogue() {
  const { data, error, refetch } = useQuery(query(webhooks.catalogue, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <Table
      label="Catalogue des événements"
      rows={data.items}
      columns={columns}
      detail={{
        label: ({ label }) => `Exemple et schéma\u00a0: ${label}`,
        content: ({ sample, schema }) => (
          <div className="grid gap-4 py-2 lg:grid-cols-2 [&>*]:min-w-0">
            <CodePanel label="Exemple" code={formatJson(sample)} language="json" />
            <CodePanel label="Schéma (JSON Schema)" code={formatJson(schema)} language="json" />
          </div>
        ),
      }}
    />
  )
}
