import { useQuery } from '@tanstack/react-query'
import { type Webhook, type WebhookDelivery, webhooks } from '@voisol/contract/webhooks'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { Can } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { DELIVERY_STATUS_LABELS } from './labels.ts'

const DAY_MS = 86_400_000
const DEPENDENT_QUERIES = [webhooks.deliveries]

const columns: Column<WebhookDelivery>[] = [
  { header: 'Événement', card: 'title', cell: ({ event }) => <code className="text-[0.8125rem]">{event}</code> },
  { header: 'Créé', card: 'primary', cell: ({ createdAt }) => formatDateTime(createdAt) },
  {
    header: 'État',
    card: 'primary',
    cell: ({ status }) => (
      <Badge tone={DELIVERY_STATUS_LABELS[status].tone}>{DELIVERY_STATUS_LABELS[status].label}</Badge>
    ),
  },
  { header: 'Tentatives', align: 'end', cell: ({ attempts }) => formatNumber(attempts) },
  {
    header: 'Dernière réponse',
    card: 'primary',
    cell: ({ lastStatus, lastError }) => lastError || (lastStatus ?? '—'),
  },
]

function DeliveryAttempts({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const { data, error, refetch } = useQuery({
    ...query(webhooks.delivery, { params: { id: webhookId, deliveryId } }),
    staleTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  return (
    <div className="grid gap-4 py-2 [&>*]:min-w-0">
      <ol className="grid gap-3">
        {data.tries.map(({ id, at, status, error: errorText, milliseconds, answer }) => (
          <li key={id} className="text-body">
            <span className="tabular">{formatDateTime(at)}</span>, en {formatNumber(milliseconds)}&nbsp;ms&nbsp;:{' '}
            <span className="font-medium">{errorText || `reçu (${status})`}</span>
            {answer && (
              <pre className="mt-1 max-h-40 overflow-auto rounded-md bg-page p-2 text-[0.8125rem]">{answer}</pre>
            )}
          </li>
        ))}
        {data.tries.length === 0 && <li className="text-body text-ink-soft">Pas encore envoyé.</li>}
      </ol>
      <CodePanel label="Corps envoyé" code={data.body} language="json" />
    </div>
  )
}

function useReplayDeliveries(id: string) {
  const replay = useAction(webhooks.replay, DEPENDENT_QUERIES)
  return async (body: { ids?: string[]; status?: 'failed'; since?: string }) => {
    try {
      const { count } = await replay.run({ params: { id }, body })
      toast({ title: `${formatCount(count, 'envoi rejoué', 'envois rejoués')}`, variant: 'success' })
    } catch (error) {
      toast({ title: 'Rien n’a été rejoué', description: explainError(error), variant: 'destructive' })
    }
  }
}

const DELIVERY_OPTIONS = Object.entries(DELIVERY_STATUS_LABELS).map(([value, { label }]) => ({ value, label }))

/** What was sent, what came of it, and the way to send it again. */
export default function WebhookDeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [status, setStatus] = useState<WebhookDelivery['status']>()
  const { data, error, refetch } = useQuery({
    ...query(webhooks.deliveries, { params: { id: webhook.id }, query: { size: 50, ...(status && { status }) } }),
    staleTime: 0,
  })
  const replay = useReplayDeliveries(webhook.id)
  return (
    <Dialog title="Envois" description={webhook.url} width="full" open onOpenChange={(open) => !open && onClose()}>
      <div className="grid gap-4 [&>*]:min-w-0">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FilterChips
            label="État"
            options={DELIVERY_OPTIONS}
            value={status}
            onChange={(next) => setStatus(next as typeof status)} // one of the options
          />
          <Can call={webhooks.replay}>
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="small" onClick={() => void replay({ status: 'failed' })}>
                Rejouer les abandonnés
              </Button>
              <Button
                variant="secondary"
                size="small"
                onClick={() => void replay({ since: new Date(Date.now() - DAY_MS).toISOString() })}
              >
                Rejouer les dernières 24 heures
              </Button>
            </div>
          </Can>
        </div>
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton className="h-64 w-full" />}
        {data?.items.length === 0 && <p className="text-body text-ink-soft">Aucun envoi.</p>}
        {data && data.items.length > 0 && (
          <Table
            label="Envois"
            rows={data.items}
            columns={columns}
            rowActions={({ id, event }) => (
              <Can call={webhooks.replay}>
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`Rejouer ${event}`}
                  onClick={() => void replay({ ids: [id] })}
                >
                  Rejouer
                </Button>
              </Can>
            )}
            detail={{
              label: ({ event }) => `Tentatives de ${event}`,
              content: ({ id }) => <DeliveryAttempts webhookId={webhook.id} deliveryId={id} />,
            }}
          />
        )}
      </div>
    </Dialog>
  )
}
