import type { EnedisCall } from '@voisol/contract/enedis'
import { isDay } from '@voisol/energy/calendar'

export type Param = EnedisCall['params'][number]
export type Values = Record<string, string>

const compact = (value: string) => value.replace(/[\s.-]/g, '')
const RULES: Record<Param['kind'], (value: string) => string | undefined> = {
  prm: (value) =>
    /^\d{14}$/.test(compact(value)) ? undefined : 'Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.',
  acc: (value) => (/^ACC\d{8}$/i.test(value) ? undefined : 'Numéro attendu, par exemple ACC00000537.'),
  day: (value) => (isDay(value) ? undefined : 'Un jour est attendu.'),
  text: () => undefined,
}

/** As the distributor wants it: people paste numbers with their spaces. */
const clean = ({ kind }: Param, value: string) =>
  kind === 'prm' ? compact(value) : kind === 'acc' ? value.toUpperCase() : value

/** What is wrong, by field; and what is sent when nothing is. */
export function check(params: Param[], values: Values): { errors: Values; cleaned: Values } {
  const errors: Values = {}
  const cleaned: Values = {}
  for (const param of params) {
    const value = (values[param.name] ?? '').trim()
    const wrong = value ? RULES[param.kind](value) : param.required ? 'À renseigner.' : undefined
    if (wrong) errors[param.name] = wrong
    else if (value) cleaned[param.name] = clean(param, value)
  }
  const [from, to] = params.filter(({ kind }) => kind === 'day')
  const [first, last] = [cleaned[from?.name ?? ''], cleaned[to?.name ?? '']]
  if (to && first && last && first >= last) errors[to.name] = 'La fin doit venir après le début\u00a0; elle est exclue.'
  return { errors, cleaned }
}

/** A field keeps what was typed when another call asks for the same thing; otherwise it shows the example. */
export const startingValues = (params: Param[], typed: Values): Values =>
  Object.fromEntries(params.map(({ name, example, required }) => [name, typed[name] ?? (required ? example : '')]))
