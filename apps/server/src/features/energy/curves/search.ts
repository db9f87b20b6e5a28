import { and, desc, eq } from 'drizzle-orm'
import { type Source, textOf } from '../../../core/search.ts'
import { curveImports } from '../../../db/schema/index.ts'

const text = textOf(curveImports)

/** Files of readings that somebody brought; who may import sees them all. */
export const searchImports: Source = async (db, actor, look) => {
  const rows = await db
    .select({ id: curveImports.id, name: curveImports.name, text })
    .from(curveImports)
    .where(and(eq(curveImports.companyId, actor.companyId), look.holds(text)))
    .orderBy(look.rank(text), desc(curveImports.createdAt), curveImports.id)
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
