import { PERIOD_OF, type RegulatoryKind } from '@voisol/contract/regulatory'
import { addMonths } from '@voisol/energy/calendar'
import { frenchMonth } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'

export const monthSpan = (period: string) => ({ from: `${period}-01`, to: addMonths(`${period}-01`, 1) })
export const yearSpan = (period: string) => ({ from: `${period}-01-01`, to: `${Number(period) + 1}-01-01` })

const WANTED = { month: /^\d{4}-\d\d$/, year: /^\d{4}$/, now: /^$/ }
const SAID = {
  month: 'Choisissez le mois, par exemple 2026-05.',
  year: 'Choisissez l’année, par exemple 2026.',
  now: 'Cet export dit l’état du jour\u00a0: il n’a pas de période.',
}

export function requirePeriodOf(kind: RegulatoryKind, period: string) {
  const of = PERIOD_OF[kind]
  if (!WANTED[of].test(period)) throw fieldError('period', SAID[of])
}

export const periodWords = (period: string) =>
  period === '' ? '' : period.length === 4 ? `année ${period}` : frenchMonth(`${period}-01`)
