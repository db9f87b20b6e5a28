import { dayStart } from '@voisol/energy/calendar'
import type { CallTemplate } from './templates.ts'

/** `20260901T000000Z`: the UTC instant at which a local day begins. */
export const formatCompactInstant = (day: string) =>
  `${new Date(dayStart(day) * 60_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

type Values = Record<string, string | undefined>

/** The URL of a call. A parameter without a value is left out; every value is escaped. */
export function buildCallUrl(host: string, { path, query = {}, dates }: CallTemplate, values: Values): string {
  const written: Values = { ...values }
  if (dates === 'compact')
    for (const name of ['from', 'to']) if (values[name]) written[name] = formatCompactInstant(values[name])
  const fill = (text: string) => {
    let whole = true
    const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (written[name] === undefined) whole = false
      return encodeURIComponent(written[name] ?? '')
    })
    return whole ? filled : undefined
  }
  const filledPath = fill(path)
  if (filledPath === undefined) throw new Error(`${path} wants more than ${Object.keys(values).join(', ')}`)
  const search = Object.entries(query).flatMap(([name, text]) => {
    const value = fill(text)
    return value === undefined ? [] : [`${name}=${value.replaceAll('%2C', ',')}`]
  })
  return `${host}${filledPath}${search.length ? `?${search.join('&')}` : ''}`
}
