import { and } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { operations } from '../../../db/schema/index.ts'

const searchText = searchTextColumn(operations)

export const searchOperations: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({
      id: operations.id,
      name: operations.name,
      accNumber: operations.accNumber,
      city: operations.city,
      text: searchText,
    })
    .from(operations)
    .where(and(operationScope(actor), look.holds(searchText)))
    .orderBy(look.rank(searchText), operations.name, operations.id)
    .limit(look.most)
  return rows.map(({ id, name, accNumber, city, text: words }) => ({
    kind: 'operation',
    id,
    title: name,
    detail: [city, accNumber].filter(Boolean).join(' · '),
    to: `/acc-operations/${id}`,
    text: words,
  }))
}
