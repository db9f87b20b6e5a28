import type { Webhook, WebhookDelivery } from '@voisol/contract/webhooks'
import type { Tone } from '../../../components/badge.tsx'

export const WEBHOOK_STATUS_LABELS: Record<Webhook['status'], { label: string; tone: Tone }> = {
  active: { label: 'Actif', tone: 'success' },
  paused: { label: 'Suspendu', tone: 'warning' },
  disabled: { label: 'Arrêté', tone: 'danger' },
}

export const DELIVERY_STATUS_LABELS: Record<WebhookDelivery['status'], { label: string; tone: Tone }> = {
  waiting: { label: 'En attente', tone: 'warning' },
  delivered: { label: 'Reçu', tone: 'success' },
  failed: { label: 'Abandonné', tone: 'danger' },
  discarded: { label: 'Écarté', tone: 'neutral' },
}
