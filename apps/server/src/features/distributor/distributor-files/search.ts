import { and, desc } from 'drizzle-orm'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { distributorFiles } from '../../../db/schema/index.ts'
import { distributorFileScope } from './scope.ts'

const searchedText = searchTextColumn(distributorFiles)

export const searchDistributorFiles: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({ id: distributorFiles.id, name: distributorFiles.name, kind: distributorFiles.kind, text: searchedText })
    .from(distributorFiles)
    .where(and(distributorFileScope(actor), look.holds(searchedText)))
    .orderBy(look.rank(searchedText), desc(distributorFiles.receivedAt), distributorFiles.id)
    .limit(look.most)
  return rows.map(({ id, name, kind, text: words }) => ({
    kind: 'file',
    id,
    title: name,
    detail: ['Fichier du distributeur', kind].filter(Boolean).join(' · '),
    to: `/enedis-data?onglet=fichiers&q=${encodeURIComponent(name)}`,
    text: words,
  }))
}
