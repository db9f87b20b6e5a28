import type { VatMode } from '@voisol/contract/money'
import type { Seller } from '@voisol/contract/sellers'
import { date, percent } from '../../lib/format.ts'

export const VAT_MODES: Record<VatMode, { label: string; hint: string }> = {
  standard: { label: 'Assujetti', hint: 'Facture la TVA au taux dit.' },
  exempt: { label: 'Franchise en base', hint: 'TVA non applicable\u00a0; la mention légale est imprimée.' },
  outside: { label: 'Hors champ', hint: 'Un particulier de 3 kWc au plus, sans SIREN.' },
  elsewhere: {
    label: 'TVA collectée par le fournisseur',
    hint: 'Usage à confirmer avec votre comptable\u00a0: un rappel est fait à chaque clôture.',
  },
}
export const modeText = ({ mode, rate }: { mode: VatMode; rate: number }) =>
  mode === 'standard' ? `${VAT_MODES.standard.label}, ${percent(rate / 10_000)}` : VAT_MODES[mode].label

export const heldVat = ({ vat }: Seller) => vat.find(({ state }) => state === 'held')
export const heldMandate = ({ mandates }: Seller) => mandates.find(({ state }) => state === 'held')
export const mandateDays = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) =>
  endsOn === null ? `depuis le ${date(startsOn)}` : `du ${date(startsOn)} au ${date(endsOn)}`
export const grouped = (digits: string): string =>
  digits.length > 9
    ? `${grouped(digits.slice(0, 9))}\u202f${digits.slice(9)}`
    : digits.replace(/\B(?=(\d{3})+$)/g, '\u202f')
