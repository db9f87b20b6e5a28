import type { EnedisCall } from '@voisol/contract/enedis'
import { isDay } from '@voisol/energy/calendar'

export type CallParam = EnedisCall['params'][number]
export type ParamValues = Record<string, string>

const stripSeparators = (value: string) => value.replace(/[\s.-]/g, '')
const PARAM_RULES: Record<CallParam['kind'], (value: string) => string | undefined> = {
  prm: (value) =>
    /^\d{14}$/.test(stripSeparators(value))
      ? undefined
      : 'Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.',
  acc: (value) => (/^ACC\d{8}$/i.test(value) ? undefined : 'Numéro attendu, par exemple ACC00000537.'),
  day: (value) => (isDay(value) ? undefined : 'Un jour est attendu.'),
  text: () => undefined,
}

/** As the distributor wants it: people paste numbers with their spaces. */
const normalizeParam = ({ kind }: CallParam, value: string) =>
  kind === 'prm' ? stripSeparators(value) : kind === 'acc' ? value.toUpperCase() : value

/** What is wrong, by field; and what is sent when nothing is. */
export function validateParams(
  params: CallParam[],
  values: ParamValues,
): { errors: ParamValues; cleaned: ParamValues } {
  const errors: ParamValues = {}
  const cleaned: ParamValues = {}
  for (const param of params) {
    const value = (values[param.name] ?? '').trim()
    const wrong = value ? PARAM_RULES[param.kind](value) : param.required ? 'À renseigner.' : undefined
    if (wrong) errors[param.name] = wrong
    else if (value) cleaned[param.name] = normalizeParam(param, value)
  }
  const [from, to] = params.filter(({ kind }) => kind === 'day')
  const [first, last] = [cleaned[from?.name ?? ''], cleaned[to?.name ?? '']]
  if (to && first && last && first >= last) errors[to.name] = 'La fin doit venir après le début\u00a0; elle est exclue.'
  return { errors, cleaned }
}

/** A field keeps what was typed when another call asks for the same thing; otherwise it shows the example. */
export const getInitialValues = (params: CallParam[], typed: ParamValues): ParamValues =>
  Object.fromEntries(params.map(({ name, example, required }) => [name, typed[name] ?? (required ? example : '')]))
