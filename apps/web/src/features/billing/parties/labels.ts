import type { VatMode } from '@voisol/contract/money'

import { formatDate, formatPercent } from '../../../lib/format.ts'

export const SELLER_VAT_MODE_LABELS: Record<VatMode, { label: string; hint: string }> = {
  standard: { label: 'Assujetti', hint: 'Facture la TVA au taux dit.' },
  exempt: { label: 'Franchise en base', hint: 'TVA non applicable\u00a0; la mention légale est imprimée.' },
  outside: { label: 'Hors champ', hint: 'Un particulier de 3 kWc au plus, sans SIREN.' },
  elsewhere: {
    label: 'TVA collectée par le fournisseur',
    hint: 'Usage à confirmer avec votre comptable\u00a0: un rappel est fait à chaque clôture.',
  },
}
export const formatVatMode = ({ mode, rate }: { mode: VatMode; rate: number }) =>
  mode === 'standard'
    ? `${SELLER_VAT_MODE_LABELS.standard.label}, ${formatPercent(rate / 10_000)}`
    : SELLER_VAT_MODE_LABELS[mode].label

export const formatMandatePeriod = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) =>
  endsOn === null ? `depuis le ${formatDate(startsOn)}` : `du ${formatDate(startsOn)} au ${formatDate(endsOn)}`
export const formatCompanyNumber = (digits: string): string =>
  digits.length > 9
    ? `${formatCompanyNumber(digits.slice(0, 9))}\u202f${digits.slice(9)}`
    : digits.replace(/\B(?=(\d{3})+$)/g, '\u202f')
