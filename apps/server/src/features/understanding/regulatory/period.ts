import { PERIOD_TYPE_BY_KIND, type RegulatoryKind } from '@voisol/contract/regulatory'
import { addMonths } from '@voisol/energy/calendar'
import { formatFrenchMonth } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'

export const getMonthRange = (period: string) => ({ from: `${period}-01`, to: addMonths(`${period}-01`, 1) })
export const getYearRange = (period: string) => ({ from: `${period}-01-01`, to: `${Number(period) + 1}-01-01` })

const PERIOD_PATTERNS = { month: /^\d{4}-\d\d$/, year: /^\d{4}$/, now: /^$/ }
const PERIOD_MESSAGES = {
  month: 'Choisissez le mois, par exemple 2026-05.',
  year: 'Choisissez l’année, par exemple 2026.',
  now: 'Cet export dit l’état du jour\u00a0: il n’a pas de période.',
}

export function requireExportPeriod(kind: RegulatoryKind, period: string) {
  const of = PERIOD_TYPE_BY_KIND[kind]
  if (!PERIOD_PATTERNS[of].test(period)) throw fieldError('period', PERIOD_MESSAGES[of])
}

export const formatExportPeriod = (period: string) =>
  period === '' ? '' : period.length === 4 ? `année ${period}` : formatFrenchMonth(`${period}-01`)
