import { and, desc, eq } from 'drizzle-orm'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { curveImports } from '../../../db/schema/index.ts'

const searchText = searchTextColumn(curveImports)

/** Uploaded files of readings; users who may import see them all. */
export const searchCurveImports: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({ id: curveImports.id, name: curveImports.name, text: searchText })
    .from(curveImports)
    .where(and(eq(curveImports.companyId, actor.companyId), look.holds(searchText)))
    .orderBy(look.rank(searchText), desc(curveImports.createdAt), curveImports.id)
    .limit(look.most)
  return rows.map(({ id, name, text: words }) => ({
    kind: 'file',
    id,
    title: name,
    detail: 'Import de courbes',
    to: `/enedis-data?onglet=imports&import=${id}`,
    text: words,
  }))
}
