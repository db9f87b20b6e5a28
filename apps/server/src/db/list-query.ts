import type { ListQuery } from '@voisol/contract/primitives'
import { type AnyColumn, asc, desc, type SQL, sql } from 'drizzle-orm'

/** `-name` sorts by name downwards; an unknown column falls back to the first. */
export function buildOrderBy(
  sort: string | undefined,
  columns: Record<string, AnyColumn | SQL>,
  fallback: string,
): SQL {
  const wanted = sort ?? fallback
  const name = wanted.replace(/^-/, '')
  const column = (Object.hasOwn(columns, name) ? columns[name] : undefined) ?? columns[fallback.replace(/^-/, '')]
  if (!column) throw new Error(`unknown sort column ${fallback}`)
  return wanted.startsWith('-') ? sql`${desc(column)} nulls last` : sql`${asc(column)} nulls last`
}

export const toLimitOffset = ({ page, size }: ListQuery) => ({ limit: size, offset: (page - 1) * size })

/** Accents and case are ignored, every word must be found somewhere. */
export function matchesSearchWords(q: string | undefined, columns: (AnyColumn | SQL)[]): SQL | undefined {
  const words = q?.split(/\s+/).filter(Boolean) ?? []
  if (!words.length) return undefined
  const hay = sql`fold(concat_ws(' ', ${sql.join(columns, sql`, `)}))`
  return sql.join(
    words.map((word) => sql`${hay} like '%' || fold(${word.replace(/[\\%_]/g, '\\$&')}) || '%'`),
    sql` and `,
  )
}
