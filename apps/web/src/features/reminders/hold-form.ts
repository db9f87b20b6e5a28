import { z } from 'zod'

const addMonths = (day: string, count: number): string => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10)
}

/** A sum in equal parts, a month apart: the cents that are left are in the first. */
export function splitIntoInstalments(cents: number, count: number, from: string): { on: string; amount: number }[] {
  const part = Math.floor(cents / count)
  return Array.from({ length: count }, (_, at) => ({
    on: addMonths(from, at),
    amount: at === 0 ? cents - part * (count - 1) : part,
  }))
}

export const HoldForm = z
  .object({
    kind: z.enum(['dispute', 'promise', 'schedule']),
    reason: z.string().trim().max(1000),
    on: z.string(),
    count: z.string(),
  })
  .superRefine(({ kind, reason, on, count }, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (kind === 'dispute' && reason.length < 5) addIssue('reason', 'Dites ce qui est contesté, en quelques mots.')
    if (kind !== 'dispute' && !/^\d{4}-\d{2}-\d{2}$/.test(on)) addIssue('on', 'Une date est attendue.')
    if (kind === 'schedule' && !/^([1-9]|[12]\d|3[0-6])$/.test(count)) addIssue('count', 'De 1 à 36 échéances.')
  })
