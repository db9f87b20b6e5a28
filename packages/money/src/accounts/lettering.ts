import type { Day } from '../calendar/days.ts'
import { compareText } from '../numbers/exact-numbers.ts'

export type LetteringRow = {
  readonly account: string
  readonly aux: string
  readonly item: string
  readonly debit: number
  readonly credit: number
  readonly day: Day
}
export type Lettering = { code: string; day: Day }

/** The groups of items that matches connect, each named after one of its items. */
function groupMatchedItems(links: readonly (readonly [string, string])[]): (item: string) => string {
  const parents = new Map<string, string>()
  const find = (item: string): string => {
    let at = item
    for (let up = parents.get(at); up !== undefined; up = parents.get(at)) {
      const above = parents.get(up)
      if (above !== undefined) parents.set(at, above)
      at = up
    }
    return at
  }
  for (const [a, b] of links) {
    const [left, right] = [find(a), find(b)]
    if (left !== right) parents.set(left, right)
  }
  return find
}

/** AA, AB … ZZ, AAA …: the usual lettering codes of accountants. */
export function formatLetteringCode(at: number): string {
  let code = ''
  for (let left = at + 27; left > 0; left = Math.floor((left - 1) / 26))
    code = String.fromCharCode(65 + ((left - 1) % 26)) + code
  return code
}

type Group<R> = { rows: R[]; day: Day }
const sumRows = (rows: readonly LetteringRow[]) => rows.reduce((sum, row) => sum + row.debit - row.credit, 0)

/** Matched rows of an auxiliary account that sum to zero share one code, from the date of the last of them. */
export function computeLetterings<R extends LetteringRow>(
  rows: readonly R[],
  links: readonly (readonly [string, string])[],
): Map<R, Lettering> {
  const find = groupMatchedItems(links)
  const letters = new Map<R, Lettering>()
  const accounts = Map.groupBy(
    rows.filter(({ aux, item }) => aux !== '' && item !== ''),
    ({ account, aux }) => `${account}\t${aux}`,
  )
  for (const own of accounts.values()) {
    const closed: Group<R>[] = [...Map.groupBy(own, ({ item }) => find(item)).values()]
      .filter((group) => group.length > 1 && sumRows(group) === 0)
      .map((group) => ({ rows: group, day: group.reduce((last, { day }) => (day > last ? day : last), '') }))
      .sort((a, b) => compareText(a.day, b.day) || compareText(a.rows[0]?.item ?? '', b.rows[0]?.item ?? ''))
    closed.forEach(({ rows: group, day }, at) => {
      for (const row of group) letters.set(row, { code: formatLetteringCode(at), day })
    })
  }
  return letters
}
