import { NewWebhookButton, WebhookList } from '../../features/admin/webhooks/list.tsx'
import { EventCatalogue, SignatureVerification } from '../../features/admin/webhooks/webhook-docs.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  { id: 'webhooks', label: 'Webhooks', permission: 'webhooks.read', panel: WebhookList, actions: <NewWebhookButton /> },
  { id: 'evenements', label: 'Événements', permission: 'webhooks.read', panel: EventCatalogue },
  { id: 'verifier', label: 'Vérifier un envoi', permission: 'webhooks.read', panel: SignatureVerification },
]

/** Who is told of what happens here, and how they know that it was us. */
export default function WebhooksPage() {
  return (
    <TabbedPage
      title="Webhooks"
      description="Prévenir d’autres logiciels de ce qui se passe, avec une signature qu’ils vérifient."
      panels={PANELS}
      by="onglet"
    />
  )
}
