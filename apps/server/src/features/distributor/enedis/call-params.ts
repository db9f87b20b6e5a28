import type { EnedisCall } from '@voisol/contract/enedis'
import { daysBetween, isDay } from '@voisol/energy/calendar'
import { AppError } from '../../../http/errors.ts'

type ParamDescription = EnedisCall['params'][number]
export type CallParam = ParamDescription & { wrong(value: string): string | undefined }
export type ParamValues = Record<string, string>

const buildParam = (shown: ParamDescription, pattern: (value: string) => boolean, expected: string): CallParam => ({
  ...shown,
  wrong: (value) => (pattern(value) ? undefined : expected),
})
const describeParam = (
  name: string,
  label: string,
  kind: ParamDescription['kind'],
  example: string,
): ParamDescription => ({
  name,
  label,
  kind,
  example,
  required: true,
})

export const prmParam = (name = 'prm', label = 'Point (PRM)') =>
  buildParam(
    describeParam(name, label, 'prm', '19125759625988'),
    (value) => /^\d{14}$/.test(value),
    'Un PRM compte quatorze chiffres, par exemple 19125759625988.',
  )
export const accParam = buildParam(
  describeParam('acc', 'Convention', 'acc', 'ACC00000537'),
  (value) => /^ACC\d{8}$/.test(value),
  'Numéro attendu\u00a0: ACC et huit chiffres, par exemple ACC00000537.',
)
const dayParam = (name: string, label: string, example: string) =>
  buildParam(
    describeParam(name, label, 'day', example),
    isDay,
    `Jour attendu sous la forme AAAA-MM-JJ, par exemple ${example}.`,
  )
export const periodParams = [
  dayParam('from', 'Du (compris)', '2026-09-01'),
  dayParam('to', 'Au (non compris)', '2026-09-08'),
]
export const enumParam = (name: string, label: string, values: readonly [string, ...string[]]) =>
  buildParam(
    describeParam(name, label, 'text', values[0]),
    (value) => values.includes(value),
    `Valeur attendue\u00a0: ${values.join(', ')}.`,
  )
export const percentageParam = buildParam(
  describeParam('share', 'Part attribuée (%)', 'text', '100,0'),
  (value) => /^\d{1,3}(,\d)?$/.test(value) && Number(value.replace(',', '.')) <= 100,
  'Pourcentage attendu, de 0 à 100 avec une décimale au plus, par exemple 62,5.',
)
export const makeOptional = (one: CallParam): CallParam => ({ ...one, required: false })

function findPeriodFault({ from, to }: ParamValues, mostDays: number | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined
  if (from >= to) return 'La fin doit venir après le début\u00a0: le jour de fin n’est pas compris.'
  return mostDays !== undefined && daysBetween(from, to) > mostDays
    ? `Cet appel porte sur ${mostDays}\u00a0jours au plus\u00a0; la période demandée en compte ${daysBetween(from, to)}.`
    : undefined
}

/** The validated parameters, or every error with its field. */
export function parseCallParams(params: CallParam[], given: ParamValues, mostDays: number | undefined): ParamValues {
  const issues: { path: string; message: string }[] = []
  const values: ParamValues = {}
  for (const { name, label, required, wrong } of params) {
    const value = (given[name] ?? '').trim()
    const message = value === '' ? required && `${label}\u00a0: une valeur est attendue.` : wrong(value)
    if (message) issues.push({ path: `params.${name}`, message })
    if (value !== '') values[name] = value
  }
  const known = new Set(params.map(({ name }) => name))
  for (const name of Object.keys(given))
    if (!known.has(name)) issues.push({ path: `params.${name}`, message: 'Cet appel n’a pas ce paramètre.' })
  const late = issues.length ? undefined : findPeriodFault(values, mostDays)
  if (late) issues.push({ path: 'params.to', message: late })
  if (issues[0]) throw new AppError('invalid', { message: issues[0].message, issues })
  return values
}
