import { type Webhook, webhooks } from '@voisol/contract/webhooks'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { WebhookActions } from './actions.tsx'
import { STOP_REASON_TEXTS, WEBHOOK_STATUS_LABELS } from './labels.ts'

const WebhookDialog = lazy(() => import('./form.tsx'))
const softTextClass = 'block text-[0.8125rem] text-ink-soft'

const describeTrouble = ({ stopped, failingSince, formerUntil }: Webhook) => {
  if (stopped) return STOP_REASON_TEXTS[stopped]
  if (failingSince) return `En échec depuis le ${formatDateTime(failingSince)}`
  return formerUntil && `Deux signatures jusqu’au ${formatDateTime(formerUntil)}`
}

const columns: Column<Webhook>[] = [
  {
    header: 'Adresse',
    card: 'title',
    sort: 'url',
    cell: ({ url }) => <span className="block min-w-56 font-medium break-all">{url}</span>,
  },
  {
    header: 'État',
    card: 'primary',
    cell: (webhook) => (
      <span className="block min-w-40">
        <Badge tone={WEBHOOK_STATUS_LABELS[webhook.status].tone}>{WEBHOOK_STATUS_LABELS[webhook.status].label}</Badge>
        {describeTrouble(webhook) && <span className={softTextClass}>{describeTrouble(webhook)}</span>}
      </span>
    ),
  },
  { header: 'Événements', card: 'primary', cell: ({ events }) => formatCount(events.length, 'événement') },
  { header: 'Créé le', card: 'primary', sort: 'createdAt', cell: ({ createdAt }) => formatDate(createdAt) },
]

export const NewWebhookButton = withAccess(webhooks.create, () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        Créer un webhook
      </Button>
      <Suspense fallback={null}>{open && <WebhookDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

export function WebhookList() {
  const list = useList(webhooks.list)
  return (
    <ListScreen
      list={list}
      label="Webhooks"
      search="Rechercher une adresse"
      columns={columns}
      rowActions={(webhook) => <WebhookActions webhook={webhook} />}
      empty={
        <EmptyState
          title="Aucun webhook"
          why="Un webhook prévient votre logiciel dès que quelque chose se passe ici (courbe reçue, mois clôturé, facture émise), sans qu’il ait à demander."
          action={
            <ButtonLink variant="secondary" to="?onglet=evenements">
              Voir les événements
            </ButtonLink>
          }
        />
      }
    />
  )
}
