import type { ContentKind } from '@voisol/contract/content'
import { hasPermission } from '@voisol/contract/permissions'
import { and, sql } from 'drizzle-orm'
import { type SearchSource, type SearchStrategy, searchTextColumn } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import { getContentPath } from './address.ts'
import { isPublished } from './published.ts'
import { isSiteContent } from './rows.ts'

const CONTENT_KIND_LABELS: Record<ContentKind, string> = {
  article: 'Actualité',
  webinar: 'Webinaire',
  'white-paper': 'Livre blanc',
  'case-study': 'Étude de cas',
  faq: 'Question fréquente',
  guide: 'Guide',
  page: 'Page du site',
}

/** Kept by the database beside each of the two. */
const SEARCH_TEXTS = { draft: searchTextColumn(contents), live: sql<string>`${contents}.search_live` }

/** Of what readers see, or of what the desk is writing. */
function selectMatches(db: Db, look: SearchStrategy, of: 'live' | 'draft') {
  const part = (name: string) => sql<string>`coalesce(${contents[of]}->>${sql.raw(`'${name}'`)}, '')`
  const text = SEARCH_TEXTS[of]
  return db
    .select({
      id: contents.id,
      kind: sql<ContentKind>`${contents.kind}`,
      slug: contents.slug,
      title: part('title'),
      category: part('category'),
      text,
    })
    .from(contents)
    .where(and(of === 'live' ? isPublished : isSiteContent, look.holds(text)))
    .orderBy(look.rank(text), contents.id)
    .limit(look.most)
}

/** The desk opens its texts to be written; everybody else reads what is published. */
export const searchContents: SearchSource = async (db, actor, look) => {
  const writes = hasPermission(actor, 'content.read')
  const rows = await selectMatches(db, look, writes ? 'draft' : 'live')
  return rows.map(({ id, kind, slug, title, category, text }) => ({
    kind: 'article',
    id,
    title,
    detail: CONTENT_KIND_LABELS[kind],
    to: writes ? `/cms-admin?contenu=${id}` : getContentPath(kind, category, slug),
    text,
  }))
}
