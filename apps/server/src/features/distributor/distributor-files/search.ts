import { and, desc } from 'drizzle-orm'
import { type Source, textOf } from '../../../core/search.ts'
import { distributorFiles } from '../../../db/schema/index.ts'
import { fileScope } from './scope.ts'

const text = textOf(distributorFiles)

export const searchDistributorFiles: Source = async (db, actor, look) => {
  const rows = await db
    .select({ id: distributorFiles.id, name: distributorFiles.name, kind: distributorFiles.kind, text })
    .from(distributorFiles)
    .where(and(fileScope(actor), look.holds(text)))
    .orderBy(look.rank(text), desc(distributorFiles.receivedAt), distributorFiles.id)
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
