import type { BillVerdict } from '@voisol/contract/supplier-bills'
import type { Tone } from './badge.tsx'

export const BILL_VERDICT_LABELS: Record<BillVerdict, { label: string; tone: Tone }> = {
  right: { label: 'Déduction juste', tone: 'success' },
  short: { label: 'Trop peu déduit', tone: 'danger' },
  over: { label: 'Trop déduit', tone: 'warning' },
  unknown: { label: 'Pas encore vérifiable', tone: 'neutral' },
}
