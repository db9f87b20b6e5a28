import { type Webhook, webhooks } from '@voisol/contract/webhooks'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatDateTime } from '../../../lib/format.ts'
import { useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { WEBHOOK_STATUS_LABELS } from './labels.ts'

const WebhookDialog = lazy(() => import('./form.tsx'))
const softTextClass = 'block text-[0.8125rem] text-ink-soft'

const STOP_REASON_TEXTS = {
  gone: 'Le serveur a répondu que l’adresse n’existe plus (410).',
  failing: 'Aucun envoi n’a réussi pendant cinq jours.',
}

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

const RotateSecretDialog = lazy(() => import('./form.tsx').then((all) => ({ default: all.RotateSecretDialog })))
const WebhookDeliveriesDialog = lazy(() => import('./deliveries.tsx'))

type WebhookPanel = 'edit' | 'secret' | 'deliveries' | 'remove'
type Props = { webhook: Webhook; onClose: () => void }

function RemoveWebhookConfirm({ webhook, onClose }: Props) {
  const remove = useAction(webhooks.remove, [webhooks.list])
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={'Supprimer ce webhook\u00a0?'}
      description={`${webhook.url} ne recevra plus rien, et la trace de ses envois est effacée.`}
      action="Supprimer le webhook"
      onConfirm={() => remove.run({ params: { id: webhook.id } })}
    />
  )
}

const PANELS = {
  edit: WebhookDialog,
  secret: RotateSecretDialog,
  deliveries: WebhookDeliveriesDialog,
  remove: RemoveWebhookConfirm,
}

function ManageItems({ webhook, open }: { webhook: Webhook; open: (panel: WebhookPanel) => void }) {
  const test = useAction(webhooks.test, [webhooks.deliveries])
  const move = useAction(webhooks.move, [webhooks.list])
  const params = { id: webhook.id }
  const showResult = (work: Promise<unknown>, title: string) =>
    void work.then(
      () => toast({ title, variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Action impossible', description: explainError(error), variant: 'destructive' }),
    )
  const isActive = webhook.status === 'active'
  return (
    <>
      {isActive && (
        <MenuItem onSelect={() => showResult(test.run({ params }), 'Essai envoyé')}>Envoyer un essai</MenuItem>
      )}
      <MenuItem onSelect={() => open('edit')}>Modifier</MenuItem>
      <MenuItem onSelect={() => open('secret')}>Renouveler le secret</MenuItem>
      {isActive ? (
        <MenuItem onSelect={() => showResult(move.run({ params, body: { status: 'paused' } }), 'Webhook suspendu')}>
          Suspendre
        </MenuItem>
      ) : (
        <MenuItem onSelect={() => showResult(move.run({ params, body: { status: 'active' } }), 'Webhook repris')}>
          Reprendre
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => open('remove')}>
        Supprimer
      </MenuItem>
    </>
  )
}

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [panel, setPanel] = useState<WebhookPanel>()
  const canChange = useCan()(webhooks.update)
  const Panel = panel && PANELS[panel]
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Envois vers ${webhook.url}`}
        onClick={() => setPanel('deliveries')}
      >
        Envois
      </Button>
      {canChange && (
        <Menu
          trigger={
            <Button
              variant="quiet"
              size="small"
              aria-label={`Actions pour ${webhook.url}`}
              icon={<Ellipsis aria-hidden="true" />}
            >
              Actions
            </Button>
          }
        >
          <ManageItems webhook={webhook} open={setPanel} />
        </Menu>
      )}
      <Suspense fallback={null}>{Panel && <Panel webhook={webhook} onClose={() => setPanel(undefined)} />}</Suspense>
    </>
  )
}
