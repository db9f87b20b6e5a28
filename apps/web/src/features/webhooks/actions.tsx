import { type Webhook, webhooks } from '@voisol/contract/webhooks'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Suspense, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

const WebhookDialog = lazy(() => import('./form.tsx'))
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

export function WebhookActions({ webhook }: { webhook: Webhook }) {
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
