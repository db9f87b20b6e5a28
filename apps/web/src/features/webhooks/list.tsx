import { type Webhook, webhooks } from '@voisol/contract/webhooks'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { only } from '../../lib/can.tsx'
import { date, dateTime, plural } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { WebhookActions } from './actions.tsx'
import { STATUSES, STOPPED } from './labels.ts'

const WebhookDialog = lazy(() => import('./form.tsx'))
const soft = 'block text-[0.8125rem] text-ink-soft'

const noteOf = ({ stopped, failingSince, formerUntil }: Webhook) => {
  if (stopped) return STOPPED[stopped]
  if (failingSince) return `En échec depuis le ${dateTime(failingSince)}`
  return formerUntil && `Deux signatures jusqu’au ${dateTime(formerUntil)}`
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
        <Badge tone={STATUSES[webhook.status].tone}>{STATUSES[webhook.status].label}</Badge>
        {noteOf(webhook) && <span className={soft}>{noteOf(webhook)}</span>}
      </span>
    ),
  },
  { header: 'Événements', card: 'primary', cell: ({ events }) => plural(events.length, 'événement') },
  { header: 'Créé le', card: 'primary', sort: 'createdAt', cell: ({ createdAt }) => date(createdAt) },
]

export const NewWebhookButton = only(webhooks.create, () => {
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
